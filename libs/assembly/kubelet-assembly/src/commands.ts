import { runAssemblyCommand } from './assembly-command.js';
import type { KubeletProgram } from './kubelet-program.js';
import { failureText, reportFailure } from './report-failure.js';
import { runKubelet } from './run-kubelet.js';

/** Runs one command line of a program, without `node` and the file name. Resolves with the exit code. */
export async function runCommand(argv: readonly string[], program: KubeletProgram): Promise<number> {
  const [command, ...rest] = argv;
  if (command === 'assembly') return printFailure(program, runAssemblyCommand(rest, program));
  // Loaded when it is asked for: the daemon needs nothing of it.
  if (command === 'replay')
    return printFailure(
      program,
      import('./replay/replay-command.js').then(({ runReplayCommand }) => runReplayCommand(rest, program)),
    );
  try {
    return await runKubelet(argv, program);
  } catch (error) {
    reportFailure(error, { component: program.program });
    return 1;
  }
}

/** A command for people fails with a plain sentence; the daemon fails with a line of its log. */
async function printFailure({ program }: KubeletProgram, command: Promise<number>): Promise<number> {
  try {
    return await command;
  } catch (error) {
    process.stderr.write(`${program}: ${failureText(error)}\n`);
    return 1;
  }
}
