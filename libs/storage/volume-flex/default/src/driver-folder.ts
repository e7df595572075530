import type { BigIntStats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isMissing } from '@podwright/errors';

// Deeper than any driver; limits the inotify watches that the folders of one driver take.
const maxDepth = 8;
const maxFolders = 64;

/** What is in the folder of a driver, without its content. */
export interface DriverFolder {
  readonly path: string;
  /** Undefined when it is missing. Changes when the file does. */
  readonly executable: string | undefined;
  /** Changes when anything in the folder does. */
  readonly identity: string;
  /** The folder and all below it, to be watched. */
  readonly folders: readonly string[];
}

/** Upstream's name of the driver in a folder: `vendor~driver` is `vendor/driver`. */
export function driverNameOf(folder: string): string {
  return basename(folder).replaceAll('~', '/');
}

/** `vendor~driver/driver`. */
export function executableOf(folder: string): string {
  return join(folder, basename(folder).split('~').at(-1) ?? '');
}

/** The folders that may hold a driver, sorted; none when the directory is missing. */
export async function driverFolders(directory: string): Promise<readonly string[]> {
  const names = await namesOf(directory);
  const paths = names.filter((name) => !name.startsWith('.')).map((name) => join(directory, name));
  const isFolder = await Promise.all(paths.map(async (path) => (await factsOf(path))?.isDirectory() ?? false));
  return paths.filter((_path, index) => isFolder[index]);
}

/** `onFolder` is called before each folder is read, so that it can be watched from then on. */
export async function readDriverFolder(
  path: string,
  onFolder: (folder: string) => Promise<void>,
): Promise<DriverFolder> {
  const folders: string[] = [];
  const found: string[] = [];
  let executable: string | undefined;
  const visit = async (folder: string, depth: number): Promise<void> => {
    folders.push(folder);
    await onFolder(folder);
    for (const name of await namesOf(folder)) {
      if (name.startsWith('.')) continue;
      const entry = join(folder, name);
      const facts = await factsOf(entry);
      if (facts === undefined) continue;
      const identity = `${entry} ${facts.ino} ${facts.mode} ${facts.size} ${facts.mtimeNs} ${facts.ctimeNs}`;
      if (facts.isDirectory()) {
        if (depth < maxDepth && folders.length < maxFolders) await visit(entry, depth + 1);
        continue;
      }
      found.push(identity);
      if (entry === executableOf(path)) executable = identity;
    }
  };
  await visit(path, 1);
  return { path, executable, identity: found.join('\n'), folders };
}

async function namesOf(folder: string): Promise<readonly string[]> {
  return (
    await readdir(folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    })
  ).sort();
}

/** Undefined for what is gone since it was listed. */
async function factsOf(path: string): Promise<BigIntStats | undefined> {
  return lstat(path, { bigint: true }).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}
