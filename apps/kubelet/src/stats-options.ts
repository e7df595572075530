import {
  durationToMs,
  type FeatureGates,
  type KubeletConfiguration,
  type KubeletFlags,
} from '@podwright/kubelet-configuration';
import path from 'node:path';

/** Where and how often usage is measured. */
export function statsOptions(
  configuration: KubeletConfiguration,
  flags: KubeletFlags,
  nodeName: string,
  featureGates: FeatureGates,
): Readonly<Record<string, unknown>> {
  return {
    nodeName,
    rootDir: path.resolve(flags.rootDir),
    podLogsDir: configuration.podLogsDir,
    runtimeEndpoint: configuration.containerRuntimeEndpoint,
    podAndContainerStatsFromCri: featureGates.enabled('PodAndContainerStatsFromCRI'),
    volumeStatsAggPeriodMs: durationToMs(configuration.volumeStatsAggPeriod),
    showHiddenMetrics: configuration.showHiddenMetricsForVersion !== '',
  };
}
