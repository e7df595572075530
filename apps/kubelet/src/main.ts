import 'reflect-metadata';
import { createSystemClock } from '@podwright/time';
import { runCommand } from './commands.js';
import { tuneEngine } from './engine-settings.js';

// What a manager left behind when it did not stop in time, such as a call to a hung runtime, may not keep the process.
const lingerMs = 200;

tuneEngine();
void runCommand(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
  createSystemClock().setTimer(lingerMs, () => process.exit());
});
