import { decodeOptions } from '@podwright/assembly-interface';
import type { EventRecorder } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { PodLifecycle } from '@podwright/pod-workers-interface';
import type { Clock } from '@podwright/time';
import type { VolumeManager, VolumePlugin } from '@podwright/volume-interface';
import { OnDemandVolumeManager } from './on-demand-volume-manager.js';
import { volumeManagerConfigSchema } from './volume-manager-config.js';
import type { VolumeManagerConfig } from './volume-manager-config.js';

export interface VolumeManagerDeps {
  readonly plugins: readonly VolumePlugin[];
  readonly lifecycle: PodLifecycle;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createVolumeManager(
  deps: VolumeManagerDeps,
  options: Partial<VolumeManagerConfig> = {},
): VolumeManager {
  const config = decodeOptions('volume', volumeManagerConfigSchema, options);
  const { plugins, lifecycle, events, clock, logger, metrics } = deps;
  return new OnDemandVolumeManager(plugins, lifecycle, events, clock, logger, metrics, config);
}
