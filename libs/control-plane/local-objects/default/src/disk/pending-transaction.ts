import { isJsonObject } from '@podwright/kube-types';
import { isMissing } from '@podwright/errors';
import path from 'node:path';
import { stagedName } from './object-file-name.js';
import type { ObjectDisk } from './object-disk.js';

/** What a transaction does to one file: `staged` takes its place, or it is removed. Paths are below the directory. */
export interface FileStep {
  readonly file: string;
  readonly staged?: string;
}

/** The redo log: while this file is there, its transaction counts but may be done in part only. */
export const pendingName = 'pending.json';

const temporaryPendingName = stagedName(pendingName, 0);

/** Makes a transaction of several files count: all of it from now on, whatever happens. The files are staged already. */
export async function writePending(disk: ObjectDisk, directory: string, steps: readonly FileStep[]): Promise<void> {
  const temporary = path.join(directory, temporaryPendingName);
  await disk.write(temporary, `${JSON.stringify({ steps })}\n`);
  await disk.rename(temporary, path.join(directory, pendingName));
}

/** Does what is left of a pending transaction, and forgets it. May be repeated. */
export async function applyPending(disk: ObjectDisk, directory: string, steps: readonly FileStep[]): Promise<void> {
  for (const step of steps) {
    await applyStep(disk, directory, step).catch((error: unknown) => {
      if (!isMissing(error)) throw error; // its staged file has its place already
    });
  }
  for (const folder of foldersOf(steps)) await disk.sync(path.join(directory, folder));
  await removePending(disk, directory);
}

/** Durable when it resolves: a later transaction must not meet the log again after a power cut. */
export async function removePending(disk: ObjectDisk, directory: string): Promise<void> {
  await disk.remove(path.join(directory, pendingName));
  await disk.sync(directory);
}

export async function applyStep(disk: ObjectDisk, directory: string, { file, staged }: FileStep): Promise<void> {
  const target = path.join(directory, file);
  if (staged === undefined) return disk.remove(target);
  await disk.rename(path.join(directory, staged), target);
}

export const foldersOf = (steps: readonly FileStep[]): readonly string[] => [
  ...new Set(steps.map(({ file }) => path.dirname(file))),
];

/** @throws Error when the text is no redo log, or leads out of the directory. */
export function decodePending(text: string): readonly FileStep[] {
  const value: unknown = JSON.parse(text);
  const steps: unknown = isJsonObject(value) ? value['steps'] : undefined;
  if (!Array.isArray(steps) || !steps.every(isStep)) throw new Error('it is no list of steps');
  return steps;
}

function isStep(value: unknown): value is FileStep {
  if (!isJsonObject(value)) return false;
  const { file, staged } = value;
  return isBelow(file) && (staged === undefined || isBelow(staged));
}

const isBelow = (value: unknown): boolean => typeof value === 'string' && /^[a-z]+\/[^/]+$/.test(value);
