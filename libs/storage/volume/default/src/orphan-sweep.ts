import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { KubeletError, messageOf } from '@podwright/errors';
import { mountsBelow } from '@podwright/filesystem';
import type { Logger } from '@podwright/logging';
import type { SubPathDeps } from './clean-sub-paths.js';
import { namesIn } from './pod-volume-paths.js';
import { removePodDir, type RemovedPodDir } from './remove-pod-dir.js';
import type { VolumeMetrics } from './volume-metrics.js';

export interface OrphanSweepDeps extends SubPathDeps {
  readonly podsDir: string;
  readonly metrics: VolumeMetrics;
  readonly logger: Logger;
  /** Tears down the pod's volumes; resolves to false when some are left. */
  readonly emptyOrphan: (podUid: string) => Promise<boolean>;
}

/**
 * Removes what unknown pods left behind, in one pass over the directory of all pods. Rejects, at its end, when something
 * other than a volume cannot be removed; what is left of volumes is only logged, and counted.
 */
export async function sweepOrphans(
  isKnown: (podUid: string) => boolean,
  deps: OrphanSweepDeps,
  signal: AbortSignal,
): Promise<void> {
  const entries = await readdir(deps.podsDir, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const orphans = entries.filter((entry) => entry.isDirectory() && !isKnown(entry.name)).map(({ name }) => name);
  if (orphans.length === 0) return deps.metrics.swept(0, 0);
  const volumeErrors: unknown[] = [];
  const removalErrors: unknown[] = [];
  let failed = 0;
  for (const podUid of orphans) {
    if (signal.aborted) return;
    try {
      const removed = await sweepOne(podUid, deps, signal);
      if (removed === undefined || removed.volumeErrors.length + removed.removalErrors.length > 0) failed++;
      volumeErrors.push(...(removed?.volumeErrors ?? []));
      removalErrors.push(...(removed?.removalErrors ?? []));
    } catch (error) {
      failed++;
      removalErrors.push(error);
    }
  }
  deps.metrics.swept(orphans.length, failed);
  for (const errors of [volumeErrors, removalErrors]) logFirst(errors, deps.logger);
  if (removalErrors.length === 0) return;
  const messages = [...new Set(removalErrors.map(messageOf))];
  const message = messages.length === 1 ? messages.join() : `[${messages.join(', ')}]`;
  throw new KubeletError(message, { code: 'failed-precondition', cause: removalErrors[0] });
}

/** Logs one error of a kind; the others only for those who ask for much. */
function logFirst(errors: readonly unknown[], logger: Logger): void {
  if (errors.length === 0) return;
  const message = 'There were many similar errors. Turn up verbosity to see them.';
  logger.error(message, { error: errors[0], numErrs: errors.length });
  for (const error of errors) logger.debug(5, 'Orphan pod', { error });
}

/** Undefined when the pod still has mounted volumes. */
async function sweepOne(
  podUid: string,
  deps: OrphanSweepDeps,
  signal: AbortSignal,
): Promise<RemovedPodDir | undefined> {
  const podDir = join(deps.podsDir, podUid);
  if (!(await deps.emptyOrphan(podUid)) || (await hasMounts(join(podDir, 'volumes'), deps))) {
    deps.logger.debug(3, 'Orphaned pod found, but volumes are not cleaned up', { podUid });
    return undefined;
  }
  return removePodDir(podUid, podDir, deps, signal);
}

/** Checked after the unmounts. Without a volume directory nothing can be mounted. */
async function hasMounts(volumes: string, deps: OrphanSweepDeps): Promise<boolean> {
  return (await namesIn(volumes)).length > 0 && mountsBelow(await deps.mounts.list(), volumes).length > 0;
}
