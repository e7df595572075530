import { configure, type ConfiguredModule } from '@podwright/assembly-interface';
import { evictionModule } from '@podwright/eviction';
import { parseGoDuration } from '@podwright/time';
import path from 'node:path';
import type { NodeSettings } from './node-settings.js';

/**
 * Options of the eviction manager: thresholds and grace periods. Source: kubernetes v1.36 pkg/kubelet/kubelet.go
 * NewMainKubelet.
 */
export function evictionOptions({ configuration, flags }: NodeSettings): ConfiguredModule {
  const { evictionHard, evictionSoft, evictionSoftGracePeriod, evictionMinimumReclaim } = configuration;
  return configure(evictionModule, {
    evictionHard,
    evictionSoft,
    evictionSoftGracePeriod,
    evictionMinimumReclaim,
    enforcePods: configuration.enforceNodeAllocatable.includes('pods') && !flags.experimentalAllocatableIgnoreEviction,
    pressureTransitionPeriodMs: parseGoDuration(configuration.evictionPressureTransitionPeriod),
    maxPodGracePeriodSeconds: configuration.evictionMaxPodGracePeriod,
    kernelMemcgNotification: configuration.kernelMemcgNotification,
    localStorageCapacityIsolation: configuration.localStorageCapacityIsolation,
    rootDir: path.resolve(flags.rootDir),
    runtimeEndpoint: configuration.containerRuntimeEndpoint,
  });
}
