import { decodeOptions } from '@podwright/assembly-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { onDemandCgroupStatsConfig, type OnDemandCgroupStatsConfig } from './on-demand-cgroup-stats-config.js';
import { OnDemandCgroupStats } from './on-demand-cgroup-stats.js';

export interface OnDemandCgroupStatsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createOnDemandCgroupStats(
  { clock, logger }: OnDemandCgroupStatsDeps,
  options: Partial<OnDemandCgroupStatsConfig> = {},
): OnDemandCgroupStats {
  return new OnDemandCgroupStats(clock, logger, decodeOptions('cgroup-stats', onDemandCgroupStatsConfig, options));
}
