import { decodeOptions } from '@podwright/assembly-interface';
import type { PodSyncer } from '@podwright/pod-sync-interface';
import type { PodLifecycle, PodWorkers, PodWorkQueue } from '@podwright/pod-workers-interface';
import { LanedPodWorkers } from './laned-pod-workers.js';
import { PodLifecycleTable } from './pod-lifecycle-table.js';
import { podWorkersConfigSchema } from './pod-workers-config.js';
import type { PodWorkersConfig } from './pod-workers-config.js';
import type { PodWorkersNeeds } from './pod-workers-needs.js';
import { TimedWorkQueue } from './timed-work-queue.js';

export interface PodWorkersDeps extends Omit<PodWorkersNeeds, 'syncer' | 'table' | 'queue'> {
  /** Creates the syncer with the lifecycle, which the syncer's own dependencies need. */
  readonly syncer: (lifecycle: PodLifecycle) => PodSyncer;
}

export interface PodWorkersParts {
  readonly workers: PodWorkers;
  readonly lifecycle: PodLifecycle;
  readonly queue: PodWorkQueue;
}

/**
 * Creates the workers with their lifecycle and queue, without an assembly. Throws `invalid-argument` for options
 * out of range.
 */
export function createPodWorkers(deps: PodWorkersDeps, options: Partial<PodWorkersConfig> = {}): PodWorkersParts {
  const config = decodeOptions('pod-workers', podWorkersConfigSchema, options);
  const table = new PodLifecycleTable();
  const queue = new TimedWorkQueue(deps);
  const workers = new LanedPodWorkers({ ...deps, table, queue, syncer: deps.syncer(table) }, config);
  return { workers, lifecycle: table, queue };
}
