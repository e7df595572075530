import { KubeletError, messageOf } from '@podwright/errors';
import { runAssemblyCommand } from './assembly-command.js';
import { runKubelet } from './run-kubelet.js';

/** Runs one command line, without `node` and the file name. Resolves with the exit code. */
export async function runCommand(argv: readonly string[]): Promise<number> {
  try {
    return argv[0] === 'assembly' ? await runAssemblyCommand(argv.slice(1)) : await runKubelet(argv);
  } catch (error) {
    // A fault that the user can fix is printed in one line; any other error keeps its stack for a bug report.
    const known = error instanceof KubeletError || (error instanceof Error && error.name === 'UsageError');
    process.stderr.write(
      `kubelet: ${known || !(error instanceof Error) ? messageOf(error) : (error.stack ?? error.message)}\n`,
    );
    return 1;
  }
}
