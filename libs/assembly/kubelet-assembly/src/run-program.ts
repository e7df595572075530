import { createSystemClock } from '@podwright/time';
import { runCommand } from './commands.js';
import { tuneEngine } from './engine-settings.js';
import type { KubeletProgram } from './kubelet-program.js';

// A call that a manager could not end in time, such as one to a hung runtime, must not keep the process alive.
const lingerMs = 200;

/** Runs the command line of this process as the program's, and ends the process. */
export function runProgram(program: KubeletProgram): void {
  tuneEngine();
  void runCommand(process.argv.slice(2), program).then((code) => {
    process.exitCode = code;
    createSystemClock().setTimer(lingerMs, () => process.exit());
  });
}
