import { KubeletError, messageOf } from '@podwright/errors';
import { runAssemblyCommand } from './assembly-command.js';
import type { KubeletProgram } from './kubelet-program.js';
import { runKubelet } from './run-kubelet.js';

/** Runs one command line of a program, without `node` and the file name. Resolves with the exit code. */
export async function runCommand(argv: readonly string[], program: KubeletProgram): Promise<number> {
  try {
    if (argv[0] === 'assembly') return await runAssemblyCommand(argv.slice(1), program);
    // Loaded when it is asked for: the daemon needs nothing of it.
    if (argv[0] === 'replay')
      return await (await import('./replay/replay-command.js')).runReplayCommand(argv.slice(1), program);
    return await runKubelet(argv, program);
  } catch (error) {
    // A fault that the user can fix is printed in one line; any other error keeps its stack for a bug report.
    const known = error instanceof KubeletError || (error instanceof Error && error.name === 'UsageError');
    process.stderr.write(
      `${program.program}: ${known || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message)}\n`,
    );
    return 1;
  }
}
