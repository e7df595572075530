import { configure, type ConfiguredModule } from '@podwright/assembly-interface';
import { onDemandStatsModule } from '@podwright/stats';
import { parseGoDuration } from '@podwright/time';
import path from 'node:path';
import type { NodeSettings } from './node-settings.js';

/** Options for measuring usage: where and how often. */
export function statsOptions({ configuration, flags, facts }: NodeSettings): ConfiguredModule {
  return configure(onDemandStatsModule, {
    nodeName: facts.nodeName,
    rootDir: path.resolve(flags.rootDir),
    podLogsDir: configuration.podLogsDir,
    runtimeEndpoint: configuration.containerRuntimeEndpoint,
    volumeStatsAggPeriodMs: parseGoDuration(configuration.volumeStatsAggPeriod),
    showHiddenMetrics: configuration.showHiddenMetricsForVersion !== '',
  });
}
