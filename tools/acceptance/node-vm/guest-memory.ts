import { readFile } from 'node:fs/promises';

/** A value of the guest's /proc/meminfo, in KiB. */
export async function memoryKib(field: string): Promise<number> {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(await readFile('/proc/meminfo', 'utf8'));
  return Number(found?.[1]);
}

export async function memoryMib(field: string): Promise<number> {
  return (await memoryKib(field)) / 1024;
}
