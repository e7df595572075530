// The beginning of an executable file in dist, as Node.js runs it. The program itself is behind it, packed into a comment,
// and beside the file in `compiled`, as text and as code that V8 has compiled at the build. With those a kubelet starts in
// two thirds of the time; without them, or with another Node.js, it takes what is in the file.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Script } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import type { ProgramFunction } from './program-text.js';

/** Name of the files in `compiled`, which follows from the program's text. */
declare const PROGRAM_NAME: string;
/** Length of the text, so that one that was half written is not run. */
declare const PROGRAM_BYTES: number;

const beside = path.join(__dirname, 'compiled', PROGRAM_NAME);
const compiled = unlessUnreadable(`${beside}.code`);
const text = compiled === undefined ? undefined : unlessUnreadable(`${beside}.js`);
const script =
  text?.length === PROGRAM_BYTES
    ? new Script(text.toString('latin1'), { filename: `${beside}.js`, cachedData: compiled })
    : new Script(packedProgram(), { filename: __filename });
const program = script.runInThisContext() as ProgramFunction;
program(exports, require, module, __filename, __dirname, (url) => import(url));

// A copy of the file alone is whole, and so is one whose neighbours somebody may not read.
function unlessUnreadable(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function packedProgram(): string {
  const file = readFileSync(__filename, 'latin1');
  const packed = file.slice(file.lastIndexOf('/*') + 2, file.lastIndexOf('*/'));
  return gunzipSync(Buffer.from(packed, 'base64')).toString('latin1');
}
