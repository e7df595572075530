import { constants } from 'node:fs';
import { open, readlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { KubeletError } from '@podwright/errors';

// Linux's O_PATH, which Node does not name: a handle on the entry itself, for walking on.
const openPath = 0o10000000;
const mostLinks = 255;

/**
 * Content of a file below `root`, which containers can write to: links lead where they would if `root` were `/`, each
 * step is taken from the handle of the one before, and nothing but a regular file of at most `mostBytes` is read.
 * Undefined when there is no such file. Source: kubernetes v1.36 securejoin.SecureJoin, which does the former alone.
 */
export async function readInside(root: string, path: string, mostBytes: number): Promise<string | undefined> {
  const handles = [await open(root, openPath | constants.O_DIRECTORY)];
  try {
    return await walk(handles, namesOf(path), mostBytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  } finally {
    await Promise.all(handles.map((handle) => handle.close()));
  }
}

async function walk(handles: FileHandle[], path: readonly string[], mostBytes: number): Promise<string> {
  let names = path;
  for (let links = 0; names.length > 0;) {
    const [name = '', ...rest] = names;
    const here = handles.at(-1);
    if (here === undefined) throw refused('the way is lost');
    if (name === '..') {
      // As in `/`: its parent is itself.
      if (handles.length > 1) await handles.pop()?.close();
      names = rest;
      continue;
    }
    const next = await open(below(here, name), openPath | constants.O_NOFOLLOW);
    handles.push(next);
    const stats = await next.stat();
    if (stats.isSymbolicLink()) {
      if (++links > mostLinks) throw refused('too many links');
      const target = await readlink(below(here, name));
      await handles.pop()?.close();
      if (target.startsWith('/')) await Promise.all(handles.splice(1).map((handle) => handle.close()));
      names = [...namesOf(target), ...rest];
    } else {
      names = rest;
    }
  }
  const last = handles.at(-1);
  const stats = await last?.stat();
  if (last === undefined || stats?.isFile() !== true) throw refused('it is no regular file');
  if (stats.size > mostBytes) throw refused(`it is larger than ${mostBytes} bytes`);
  return readBounded(last, mostBytes);
}

/** The handle was for walking; this one is for reading, and of the same file. */
async function readBounded(handle: FileHandle, mostBytes: number): Promise<string> {
  const file = await open(`/proc/self/fd/${handle.fd}`, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    // It may grow meanwhile.
    const buffer = Buffer.alloc(mostBytes);
    let length = 0;
    for (let got = -1; got !== 0 && length < mostBytes; length += got) {
      got = (await file.read(buffer, length, mostBytes - length, length)).bytesRead;
    }
    return buffer.toString('utf8', 0, length);
  } finally {
    await file.close();
  }
}

function namesOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function below(parent: FileHandle, name: string): string {
  return `/proc/self/fd/${parent.fd}/${name}`;
}

function refused(problem: string): KubeletError {
  return new KubeletError(`cannot read the file: ${problem}`, { code: 'permission-denied' });
}
