import type { OptionsOf } from '@podwright/assembly-interface';
import type { LocalNodeConfig } from '@podwright/node-status';
import path from 'node:path';
import type { NodeSettings } from './node-settings.js';

/** Options of the Node's data, the same for a standalone node and for one with an API server. */
export function nodeOptions({ configuration, flags, facts, gates }: NodeSettings): OptionsOf<LocalNodeConfig> {
  const { nodeName, nodeIps } = facts;
  return {
    nodeName,
    nodeIps,
    rootDir: path.resolve(flags.rootDir),
    machineIdFile: flags.machineIdFile,
    bootIdFile: flags.bootIdFile,
    nodeLabels: flags.nodeLabels,
    registerWithTaints: configuration.registerWithTaints,
    externalCloudProvider: flags.cloudProvider === 'external',
    enableControllerAttachDetach: configuration.enableControllerAttachDetach,
    providerId: configuration.providerID,
    kubeletVersion: flags.version.reported,
    featureGates: gates.declared,
    podCidr: configuration.podCIDR,
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
