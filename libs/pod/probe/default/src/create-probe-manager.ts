import type { EventRecorder } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { PodMemory } from '@podwright/pod-memory-interface';
import type { ProbeManager, Probers, ProbeResults } from '@podwright/probe-interface';
import type { StatusManager } from '@podwright/status-interface';
import type { Clock, Random } from '@podwright/time';
import { ContainerProber } from './container-prober.js';
import { ProbeMetrics } from './probe-metrics.js';
import { ProbeResultStore } from './results/probe-result-store.js';
import { WorkerProbeManager } from './worker-probe-manager.js';

export interface ProbeManagerDeps {
  readonly probers: Probers;
  readonly statuses: StatusManager;
  readonly memory: PodMemory;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

export interface ProbeManagerParts {
  readonly manager: ProbeManager;
  readonly results: ProbeResults;
  /** The `prober_*` metrics. */
  readonly metrics: Pick<MetricsRegistry, 'render'>;
}

/** Without DI. */
export function createProbeManager(deps: ProbeManagerDeps): ProbeManagerParts {
  const { probers, statuses, memory, events, clock, random, logger } = deps;
  const metrics = ProbeMetrics.create(clock);
  const results = new ProbeResultStore(statuses, memory);
  const prober = new ContainerProber(probers, events, logger);
  const manager = new WorkerProbeManager(prober, results, statuses, metrics, clock, random, logger);
  return { manager, results, metrics };
}
