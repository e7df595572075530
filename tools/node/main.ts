import { spawn } from 'node:child_process';
import path from 'node:path';
import { nodeMajors, nodePins } from './node-pins.js';
import { hostArchitecture, nodeProgram } from './node-program.js';

// `npm run with-node`: see usage.txt.
const [majorText, command, ...args] = process.argv.slice(2);
const major = nodeMajors.find((each) => String(each) === majorText);
if (major === undefined) fail(`the first argument must be ${nodeMajors.join(', ')}, not "${majorText ?? ''}"`);
if (command === undefined) fail(`the second argument must be a command that Node.js ${major} is to run`);

const node = await nodeProgram(nodePins[major], hostArchitecture(), console.log);
const child = spawn(command, args, {
  stdio: 'inherit',
  env: { ...process.env, PATH: `${path.dirname(node)}:${process.env['PATH'] ?? ''}` },
});
// The child decides when to end. Ctrl-C reaches it from the terminal.
process.on('SIGINT', () => undefined);
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void child.kill(signal));
child.once('error', (error) => fail(error.message));
child.once('exit', (code) => process.exit(code ?? 1));

function fail(message: string): never {
  console.error(`npm run with-node: ${message}`);
  process.exit(2);
}
