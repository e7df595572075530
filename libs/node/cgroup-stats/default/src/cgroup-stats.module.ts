import { contribution, decodeOptions, defineModule } from '@podwright/assembly-interface';
import { CADVISOR_METRICS, CGROUP_STATS } from '@podwright/cgroup-stats-interface';
import type { MetricsSource } from '@podwright/metrics';
import { METRICS_PAGES } from '@podwright/server-interface';
import { CadvisorMetrics, cadvisorMetricsNeeds, type CadvisorMetricsDeps } from './cadvisor/cadvisor-metrics.js';
import { onDemandCgroupStatsConfig, type OnDemandCgroupStatsConfig } from './on-demand-cgroup-stats-config.js';
import { cgroupStatsNeeds, OnDemandCgroupStats, type CgroupStatsNeeds } from './on-demand-cgroup-stats.js';

export const cgroupStatsModule = defineModule({
  name: '@podwright/cgroup-stats',
  provides: { stats: CGROUP_STATS, cadvisor: CADVISOR_METRICS },
  needs: { ...cgroupStatsNeeds, ...cadvisorMetricsNeeds },
  config: onDemandCgroupStatsConfig,
  create: (deps, config) => {
    const stats = new OnDemandCgroupStats(deps, config);
    return { stats, cadvisor: new CadvisorMetrics({ ...deps, stats }, config) };
  },
  contributes: [
    contribution(METRICS_PAGES, ({ cadvisor }: { readonly cadvisor: MetricsSource }) => [
      { name: 'cadvisor', source: cadvisor },
    ]),
  ],
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export function createOnDemandCgroupStats(
  deps: CgroupStatsNeeds,
  options: Partial<OnDemandCgroupStatsConfig> = {},
): OnDemandCgroupStats {
  return new OnDemandCgroupStats(deps, decodeOptions('cgroup-stats', onDemandCgroupStatsConfig, options));
}

/**
 * Creates one without an assembly; `options` are those of `stats`. Throws `invalid-argument` for options out of
 * range.
 */
export function createCadvisorMetrics(
  deps: CadvisorMetricsDeps,
  options: Partial<OnDemandCgroupStatsConfig> = {},
): CadvisorMetrics {
  return new CadvisorMetrics(deps, decodeOptions('cgroup-stats', onDemandCgroupStatsConfig, options));
}
