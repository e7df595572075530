import { readlink } from 'node:fs';
import { opendir } from 'node:fs/promises';
import path from 'node:path';
import { readSmallFile, statOf } from '../read/small-file.js';

export interface OpenFiles {
  readonly descriptors: number;
  readonly sockets: number;
}

// A process may have a million open files, and each link costs a call. Upstream reads them all.
const mostLinksPerProcess = 4096;
const mostProcesses = 4096;

/**
 * Counts the open files and sockets of processes. Inspects only the first 4096 files of a process for sockets; the
 * number of files is exact where the kernel reports it (since 6.2).
 */
export async function countOpenFiles(proc: string, pids: readonly number[]): Promise<OpenFiles> {
  let descriptors = 0;
  let sockets = 0;
  // One after another: this is the expensive part, and no caller waits for it alone.
  for (const pid of pids.slice(0, mostProcesses)) {
    const folder = path.join(proc, String(pid), 'fd');
    const told = (await statOf(folder))?.size ?? 0;
    const names = await firstNames(folder, mostLinksPerProcess);
    descriptors += Math.max(told, names.length);
    const links = await Promise.all(names.map((name) => isSocket(path.join(folder, name))));
    sockets += links.filter(Boolean).length;
  }
  return { descriptors, sockets };
}

/** Empty for a process that is gone or not readable. */
async function firstNames(folder: string, most: number): Promise<readonly string[]> {
  const names: string[] = [];
  const opened = await opendir(folder, { bufferSize: 256 }).catch(() => undefined);
  if (opened === undefined) return names;
  try {
    for await (const { name } of opened) {
      names.push(name);
      if (names.length >= most) break;
    }
  } catch {
    // The process ended during the listing: count what was read.
  }
  return names;
}

function isSocket(link: string): Promise<boolean> {
  return new Promise((resolve) => {
    readlink(link, (error, target) => resolve(error === null && target.startsWith('socket')));
  });
}

/** Soft limit of open files; -1 without one, undefined when the process is gone. */
export async function openFilesLimit(proc: string, pid: number): Promise<number | undefined> {
  const limits = (await readSmallFile(path.join(proc, String(pid), 'limits'))) ?? '';
  const soft = /^Max open files\s+(\S+)\s+\S+\s+\S+/m.exec(limits)?.[1];
  if (soft === undefined) return undefined;
  return soft === 'unlimited' ? -1 : Number(soft);
}
