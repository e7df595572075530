import { readFile, readdir } from 'node:fs/promises';
import { isMissing } from '@podwright/errors';

const cpuFolder = /^cpu(\d+)$/;

/**
 * The trimmed text of a file; undefined when the file is missing. Rejects when it cannot be read for another reason.
 */
export async function textOf(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The names in a folder, sorted as text; none when it cannot be read. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

/** The numbers of the `cpu<N>` folders, in the order of their names as text. */
export async function cpusIn(folder: string): Promise<readonly number[]> {
  return (await namesIn(folder)).flatMap((name) => {
    const cpu = cpuFolder.exec(name)?.[1];
    return cpu === undefined ? [] : [Number(cpu)];
  });
}

/** Parses a whole number. Throws an Error that names the file when the text is none. */
export function wholeNumber(text: string, file: string): number {
  if (/^-?\d+$/.test(text)) return Number(text);
  throw new Error(`${file} holds ${JSON.stringify(text.slice(0, 40))}, not a number`);
}
