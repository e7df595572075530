import type { FeatureGates, KubeletConfiguration, KubeletFlags } from '@podwright/kubelet-configuration';
import { declaredFeatureGates } from '@podwright/node-status-interface';
import path from 'node:path';
import type { NodeFacts } from './node-facts.js';
import { version } from './version.js';

/** Options of all modules that know what the node is: with an API server and without one. */
export function nodeOptions(
  configuration: KubeletConfiguration,
  flags: KubeletFlags,
  { nodeName, nodeIps }: NodeFacts,
  featureGates: FeatureGates,
): Readonly<Record<string, unknown>> {
  return {
    nodeName,
    nodeIps,
    rootDir: path.resolve(flags.rootDir),
    nodeLabels: flags.nodeLabels,
    registerWithTaints: configuration.registerWithTaints,
    externalCloudProvider: flags.cloudProvider === 'external',
    enableControllerAttachDetach: configuration.enableControllerAttachDetach,
    providerId: configuration.providerID,
    kubeletVersion: version,
    featureGates: declaredFeatureGates.filter((gate) => featureGates.enabled(gate)),
    cpuManagerPolicy: configuration.cpuManagerPolicy,
    maxPods: configuration.maxPods,
    podsPerCore: configuration.podsPerCore,
    localStorageCapacityIsolation: configuration.localStorageCapacityIsolation,
    systemReserved: configuration.systemReserved,
    kubeReserved: configuration.kubeReserved,
    reservedSystemCpus: configuration.reservedSystemCPUs,
    evictionHard: configuration.evictionHard,
    ignoreHardEviction: flags.experimentalAllocatableIgnoreEviction,
  };
}
