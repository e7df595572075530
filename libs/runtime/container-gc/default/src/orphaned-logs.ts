import type { Dirent } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, KubeletError, messageOf } from '@podwright/errors';

/** `<namespace>_<pod>_<uid>`; a kubelet made no other names, so other folders stay. */
const podLogDir = /^[^_]+_[^_]+_([^_]+)$/;
const linkName = /-([^-]{6,})\.log$/;

/**
 * Removes the log folders of removed pods. Reports each failed removal to the callback; rejects only when the folder
 * itself cannot be read.
 */
export async function removePodLogDirs(
  podLogsDir: string,
  isRemoved: (podUid: string) => boolean,
  onFailure: (error: KubeletError) => void,
): Promise<void> {
  for (const entry of await entriesOf(podLogsDir)) {
    const uid = podLogDir.exec(entry.name)?.[1];
    if (!entry.isDirectory() || uid === undefined || !isRemoved(uid)) continue;
    await attempt(`remove pod logs directory ${entry.name}`, onFailure, () =>
      rm(join(podLogsDir, entry.name), { recursive: true, force: true }),
    );
  }
}

export interface LinkOptions {
  readonly containerLogsDir: string;
  /** Ids of listed containers that are not dead: their links may dangle for a moment during a log rotation. */
  readonly alive: ReadonlySet<string>;
  /** Asks the runtime about a dangling link of a container that is not in the list, because it may be new. */
  readonly isDead: (containerId: string) => Promise<boolean>;
  readonly onFailure: (error: KubeletError) => void;
}

/** Removes links whose container and log no longer exist. */
export async function removeDeadLinks({ containerLogsDir, alive, isDead, onFailure }: LinkOptions): Promise<void> {
  for (const entry of await entriesOf(containerLogsDir)) {
    if (!entry.isSymbolicLink() || !entry.name.endsWith('.log')) continue;
    const containerId = linkName.exec(entry.name)?.[1];
    if (containerId !== undefined && alive.has(containerId)) continue;
    const path = join(containerLogsDir, entry.name);
    await attempt(`remove link ${entry.name}`, onFailure, async () => {
      if (!(await dangles(path))) return;
      if (containerId === undefined || (await isDead(containerId))) await rm(path, { force: true });
    });
  }
}

async function entriesOf(dir: string): Promise<Dirent[]> {
  try {
    return await readdir(dir, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw new KubeletError(`failed to read ${dir}: ${messageOf(error)}`, { code: 'internal', cause: error });
  }
}

async function dangles(path: string): Promise<boolean> {
  try {
    await stat(path);
    return false;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}

async function attempt(
  what: string,
  onFailure: (error: KubeletError) => void,
  task: () => Promise<void>,
): Promise<void> {
  try {
    await task();
  } catch (error) {
    onFailure(new KubeletError(`failed to ${what}: ${messageOf(error)}`, { code: 'internal', cause: error }));
  }
}
