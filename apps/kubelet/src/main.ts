import 'reflect-metadata';
import { runCommand } from './commands.js';

void runCommand(process.argv.slice(2)).then((code) => {
  // Not exitCode: a call that hangs in the runtime must not keep a stopped kubelet alive.
  process.exit(code);
});
