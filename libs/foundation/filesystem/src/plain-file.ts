import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/**
 * Reads the text of a regular file; follows links, and does not block on a pipe. Rejects with Node's error, or with an
 * Error that calls the file `shownAs` when it is not a regular file or larger than `mostBytes`.
 */
export async function readPlainFile(path: string, mostBytes: number, shownAs = path): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw new Error(`${shownAs} is no regular file`);
    if (facts.size > mostBytes) throw new Error(`${shownAs} is larger than ${mostBytes} bytes`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}
