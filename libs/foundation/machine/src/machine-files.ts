import { readFile, readdir } from 'node:fs/promises';

const cpuFolder = /^cpu(\d+)$/;

/** Trimmed text; undefined for a file that is missing. Rejects when it cannot be read otherwise. */
export async function textOf(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Names below a folder, sorted as text; none when it cannot be read. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).sort();
}

/** Numbers of the `cpu<N>` folders, in the order of their names as text. */
export async function cpusIn(folder: string): Promise<readonly number[]> {
  return (await namesIn(folder)).flatMap((name) => {
    const cpu = cpuFolder.exec(name)?.[1];
    return cpu === undefined ? [] : [Number(cpu)];
  });
}

/** Throws an Error that names the file when the text is no whole number. */
export function wholeNumber(text: string, file: string): number {
  if (/^-?\d+$/.test(text)) return Number(text);
  throw new Error(`${file} holds ${JSON.stringify(text.slice(0, 40))}, not a number`);
}
