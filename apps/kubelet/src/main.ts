import 'reflect-metadata';
import { runCommand } from './commands.js';

void runCommand(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
