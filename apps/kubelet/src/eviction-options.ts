import {
  durationToMs,
  type FeatureGates,
  type KubeletConfiguration,
  type KubeletFlags,
} from '@podwright/kubelet-configuration';
import path from 'node:path';

/** When pods are evicted. Source: kubernetes v1.36 pkg/kubelet/kubelet.go NewMainKubelet. */
export function evictionOptions(
  configuration: KubeletConfiguration,
  flags: KubeletFlags,
  featureGates: FeatureGates,
): Readonly<Record<string, unknown>> {
  const { evictionHard, evictionSoft, evictionSoftGracePeriod, evictionMinimumReclaim } = configuration;
  return {
    ...{ evictionHard, evictionSoft, evictionSoftGracePeriod, evictionMinimumReclaim },
    enforcePods: configuration.enforceNodeAllocatable.includes('pods') && !flags.experimentalAllocatableIgnoreEviction,
    pressureTransitionPeriodMs: durationToMs(configuration.evictionPressureTransitionPeriod),
    maxPodGracePeriodSeconds: configuration.evictionMaxPodGracePeriod,
    kernelMemcgNotification: configuration.kernelMemcgNotification,
    localStorageCapacityIsolation: configuration.localStorageCapacityIsolation,
    podLevelResources: featureGates.enabled('PodLevelResources'),
    separateDiskGc: featureGates.enabled('KubeletSeparateDiskGC'),
    rootDir: path.resolve(flags.rootDir),
    runtimeEndpoint: configuration.containerRuntimeEndpoint,
  };
}
