import { decodeOptions } from '@podwright/assembly-interface';
import type { CgroupDriver } from '@podwright/cgroup-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { onDemandCgroupStatsConfig, type OnDemandCgroupStatsConfig } from './on-demand-cgroup-stats-config.js';
import { OnDemandCgroupStats } from './on-demand-cgroup-stats.js';

export interface OnDemandCgroupStatsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: what the options say. */
  readonly driver?: Pick<CgroupDriver, 'name'>;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createOnDemandCgroupStats(
  { clock, logger, driver }: OnDemandCgroupStatsDeps,
  options: Partial<OnDemandCgroupStatsConfig> = {},
): OnDemandCgroupStats {
  const config = decodeOptions('cgroup-stats', onDemandCgroupStatsConfig, options);
  return new OnDemandCgroupStats(clock, logger, config, driver);
}
