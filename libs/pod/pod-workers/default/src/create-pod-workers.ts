import { decodeOptions } from '@podwright/assembly-interface';
import type { EventRecorder } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { RelistControl } from '@podwright/pleg-interface';
import type { PodCache } from '@podwright/pod-cache-interface';
import type { PodMemory } from '@podwright/pod-memory-interface';
import type { PodSyncer } from '@podwright/pod-sync-interface';
import type { PodLifecycle, PodWorkers, PodWorkQueue } from '@podwright/pod-workers-interface';
import type { Clock, Random } from '@podwright/time';
import { LanedPodWorkers } from './laned-pod-workers.js';
import { PodLifecycleTable } from './pod-lifecycle-table.js';
import { podWorkersConfigSchema } from './pod-workers-config.js';
import type { PodWorkersConfig } from './pod-workers-config.js';
import { TimedWorkQueue } from './timed-work-queue.js';

export interface PodWorkersDeps {
  /** Made with the lifecycle at hand, since what it calls asks for the lifecycle. */
  readonly syncer: (lifecycle: PodLifecycle) => PodSyncer;
  readonly cache: PodCache;
  /** Without it a pod that is to end waits for the next relist when it was synced a moment ago. */
  readonly relist?: RelistControl;
  readonly memory: PodMemory;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

export interface PodWorkersParts {
  readonly workers: PodWorkers;
  readonly lifecycle: PodLifecycle;
  readonly queue: PodWorkQueue;
}

/** Makes the workers with their lifecycle and queue, without a container. Throws `invalid-argument` for options out of range. */
export function createPodWorkers(deps: PodWorkersDeps, options: Partial<PodWorkersConfig> = {}): PodWorkersParts {
  const config = decodeOptions('pod-workers', podWorkersConfigSchema, options);
  const { cache, memory, events, clock, random, logger, metrics } = deps;
  const lifecycle = new PodLifecycleTable();
  const queue = new TimedWorkQueue(clock);
  const syncer = deps.syncer(lifecycle);
  const workers = new LanedPodWorkers(
    syncer,
    cache,
    lifecycle,
    memory,
    queue,
    events,
    clock,
    random,
    logger,
    metrics,
    config,
    deps.relist,
  );
  return { workers, lifecycle, queue };
}
