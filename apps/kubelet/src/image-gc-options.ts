import { durationToMs, type FeatureGates, type KubeletConfiguration } from '@podwright/kubelet-configuration';

/** When unused images go. */
export function imageGcOptions(
  configuration: KubeletConfiguration,
  featureGates: FeatureGates,
): Readonly<Record<string, unknown>> {
  return {
    highThresholdPercent: configuration.imageGCHighThresholdPercent,
    lowThresholdPercent: configuration.imageGCLowThresholdPercent,
    minAgeMs: durationToMs(configuration.imageMinimumGCAge),
    maxAgeMs: durationToMs(configuration.imageMaximumGCAge),
    runtimeClassInImageCriApi: featureGates.enabled('RuntimeClassInImageCriApi'),
  };
}
