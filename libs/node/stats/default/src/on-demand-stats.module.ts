import { contribution, defineModule, factoryOf } from '@podwright/assembly-interface';
import { METRICS_PAGES } from '@podwright/server-interface';
import { IMAGE_FS_STATS, STATS_PROVIDER } from '@podwright/stats-interface';
import { onDemandStatsConfigSchema, type OnDemandStatsConfig } from './on-demand-stats-config.js';
import { OnDemandStats, onDemandStatsNeeds, type OnDemandStatsNeeds } from './on-demand-stats.js';

export const onDemandStatsModule = defineModule({
  name: '@podwright/stats',
  provides: [STATS_PROVIDER, IMAGE_FS_STATS],
  needs: onDemandStatsNeeds,
  config: onDemandStatsConfigSchema,
  create: (deps: OnDemandStatsNeeds, config: OnDemandStatsConfig) => new OnDemandStats(deps, config),
  contributes: [contribution(METRICS_PAGES, (stats: OnDemandStats) => [{ name: 'resource', source: stats }])],
});

/** Creates one without an assembly; `nodeName` is required. Throws `invalid-argument` for options out of range. */
export const createOnDemandStats = factoryOf(onDemandStatsModule);
