// Runs a program as its loader does and keeps what V8 has compiled until the program ends:
//   node compile-program.mjs PROGRAM.js PROGRAM.code ARGUMENTS...
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import v8 from 'node:v8';
import { Script } from 'node:vm';

const [node, , given, codeFile, ...args] = process.argv;
const file = path.resolve(given);
// V8 refuses code that was made under other settings than those a process begins with.
v8.setFlagsFromString = () => undefined;
process.argv = [node, file, ...args];
const script = new Script(readFileSync(file, 'latin1'), { filename: file });
process.on('exit', (code) => {
  if (code === 0) writeFileSync(codeFile, script.createCachedData());
});
const module = { exports: {} };
script.runInThisContext()(module.exports, createRequire(file), module, file, path.dirname(file), (url) => import(url));
