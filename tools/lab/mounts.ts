import { readFile } from 'node:fs/promises';
import { tryCommand } from './commands.js';
import type { LabLayout } from './layout.js';

/** Mount points below the given folders, in the order to unmount them: the latest mount first. */
export function mountPointsBelow(mountinfo: string, folders: readonly string[]): string[] {
  return mountinfo
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .map((point) => point.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8))))
    .filter((point) => folders.some((folder) => point === folder || point.startsWith(`${folder}/`)))
    .reverse();
}

export async function labMounts(layout: LabLayout): Promise<string[]> {
  return mountsBelow([layout.runDir, layout.dataDir]);
}

/** Unmounts all of the lab's mounts; lazily only what stays busy although no process of the lab is alive. */
export function unmountAll(layout: LabLayout, log: (line: string) => void): Promise<void> {
  return unmountBelow([layout.runDir, layout.dataDir], log);
}

/** Unmounts everything at or below the folders, lazily what is busy. */
export async function unmountBelow(folders: readonly string[], log: (line: string) => void): Promise<void> {
  const points = await mountsBelow(folders);
  // In lots: a program per mount would take seconds for a hundred pods, and one argument list has an end.
  for (let start = 0; start < points.length; start += 200) {
    await tryCommand('umount', points.slice(start, start + 200));
  }
  for (const point of await mountsBelow(folders)) {
    const { code, stderr } = await tryCommand('umount', [point]);
    if (code === 0) continue;
    log(`${point} is unmounted lazily: ${stderr.trim()}`);
    await tryCommand('umount', ['-l', point]);
  }
}

async function mountsBelow(folders: readonly string[]): Promise<string[]> {
  return mountPointsBelow(await readFile('/proc/self/mountinfo', 'utf8'), folders);
}
