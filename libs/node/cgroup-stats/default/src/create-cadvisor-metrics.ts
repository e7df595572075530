import { decodeOptions } from '@podwright/assembly-interface';
import type { ImageService } from '@podwright/cri-client-interface';
import type { Logger } from '@podwright/logging';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { Clock } from '@podwright/time';
import { CadvisorMetrics, type CadvisorRuntime } from './cadvisor/cadvisor-metrics.js';
import { onDemandCgroupStatsConfig, type OnDemandCgroupStatsConfig } from './on-demand-cgroup-stats-config.js';
import type { OnDemandCgroupStats } from './on-demand-cgroup-stats.js';

export interface CadvisorMetricsDeps {
  readonly stats: OnDemandCgroupStats;
  readonly runtime: CadvisorRuntime;
  readonly images: Pick<ImageService, 'imageStatus'>;
  readonly pods: Pick<PodManager, 'getPodByUid'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Makes one without a container; `options` are those of `stats`. Throws `invalid-argument` for options out of range. */
export function createCadvisorMetrics(
  { stats, runtime, images, pods, clock, logger }: CadvisorMetricsDeps,
  options: Partial<OnDemandCgroupStatsConfig> = {},
): CadvisorMetrics {
  const config = decodeOptions('cgroup-stats', onDemandCgroupStatsConfig, options);
  return new CadvisorMetrics(stats, runtime, images, pods, clock, logger, config);
}
