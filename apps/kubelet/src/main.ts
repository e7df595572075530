import { createSystemClock } from '@podwright/time';
import { runCommand } from './commands.js';
import { tuneEngine } from './engine-settings.js';

// A call that a manager could not end in time, such as one to a hung runtime, must not keep the process alive.
const lingerMs = 200;

tuneEngine();
void runCommand(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  createSystemClock().setTimer(lingerMs, () => process.exit());
});
