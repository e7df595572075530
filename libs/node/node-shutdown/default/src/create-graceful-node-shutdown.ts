import type { AdmissionHandlers } from '@podwright/admission-interface';
import { KubeletError } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { NodeShutdownManager } from '@podwright/node-shutdown-interface';
import type { ActivePods, PodWorkers } from '@podwright/pod-workers-interface';
import type { StatusDelivery } from '@podwright/status-interface';
import type { Clock } from '@podwright/time';
import type { VolumeManager } from '@podwright/volume-interface';
import { gracefulNodeShutdownConfigSchema, type GracefulNodeShutdownConfig } from './graceful-node-shutdown-config.js';
import { GracefulNodeShutdown } from './graceful-node-shutdown.js';

export interface GracefulNodeShutdownDeps {
  readonly activePods: ActivePods;
  readonly workers: Pick<PodWorkers, 'killPodNow'>;
  readonly volumes: Pick<VolumeManager, 'waitForUnmount'>;
  readonly delivery: StatusDelivery;
  readonly admission: AdmissionHandlers;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** The manager without an assembly. Throws `invalid-argument` for a wrong option, naming it. */
export function createGracefulNodeShutdown(
  deps: GracefulNodeShutdownDeps,
  options: Partial<GracefulNodeShutdownConfig> = {},
): NodeShutdownManager {
  const config = gracefulNodeShutdownConfigSchema.decode(options);
  if (!config.ok) {
    const faults = config.faults.map(({ field, problem }) => `${field} ${problem}`).join('; ');
    throw new KubeletError(`wrong options: ${faults}`, { code: 'invalid-argument' });
  }
  return new GracefulNodeShutdown(
    deps.activePods,
    deps.workers,
    deps.volumes,
    deps.delivery,
    deps.admission,
    deps.events,
    deps.clock,
    deps.logger,
    deps.metrics,
    config.value,
  );
}
