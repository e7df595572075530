import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mountsBelow } from '@podwright/filesystem';
import type { Logger } from '@podwright/logging';
import type { SubPathDeps } from './clean-sub-paths.js';
import { namesIn } from './pod-volume-paths.js';
import { removePodDir } from './remove-pod-dir.js';
import type { VolumeMetrics } from './volume-metrics.js';

export interface OrphanSweepDeps extends SubPathDeps {
  readonly podsDir: string;
  readonly metrics: VolumeMetrics;
  readonly logger: Logger;
  /** Takes down the volumes that the pod holds; false when some are left. */
  readonly emptyOrphan: (podUid: string) => Promise<boolean>;
}

/** Removes what pods left behind that nobody knows any more; one pass over the directory of all pods. */
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
  const failures: unknown[] = [];
  let cleaned = 0;
  for (const podUid of orphans) {
    if (signal.aborted) return;
    try {
      if (await sweepOne(podUid, deps, signal)) cleaned++;
    } catch (error) {
      failures.push(error);
      deps.logger.debug(5, 'cannot remove the directory of an orphaned pod', { podUid, error });
    }
  }
  deps.metrics.swept(cleaned, failures.length);
  if (failures.length === 0) return;
  const rest = failures.length === 1 ? '' : 'There were many similar errors. Turn up verbosity to see them.';
  deps.logger.error(`cannot remove directories of orphaned pods. ${rest}`.trim(), {
    error: failures[0],
    errors: failures.length,
  });
}

async function sweepOne(podUid: string, deps: OrphanSweepDeps, signal: AbortSignal): Promise<boolean> {
  const podDir = join(deps.podsDir, podUid);
  if (!(await deps.emptyOrphan(podUid)) || (await hasMounts(join(podDir, 'volumes'), deps))) {
    deps.logger.debug(3, 'Orphaned pod found, but volumes are not cleaned up', { podUid });
    return false;
  }
  const { volumes } = await removePodDir(podUid, podDir, deps, signal);
  return volumes > 0;
}

/** Looked up after the unmounts. Without a volume's directory there is nothing to mount on. */
async function hasMounts(volumes: string, deps: OrphanSweepDeps): Promise<boolean> {
  return (await namesIn(volumes)).length > 0 && mountsBelow(await deps.readMounts(), volumes).length > 0;
}
