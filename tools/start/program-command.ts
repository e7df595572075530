import { closeSync, openSync, readSync } from 'node:fs';

/**
 * The command that runs a program of `npm run build`: a single executable runs by itself, any other file with `node`, the
 * Node.js of this process by default. Arguments of the program follow.
 */
export function programCommand(file: string, node = process.execPath): readonly [program: string, ...args: string[]] {
  return isMachineCode(file) ? [file] : [node, file];
}

function isMachineCode(file: string): boolean {
  const start = Buffer.alloc(4);
  const open = openSync(file, 'r');
  try {
    readSync(open, start);
  } finally {
    closeSync(open);
  }
  return start.toString('latin1') === '\x7fELF';
}
