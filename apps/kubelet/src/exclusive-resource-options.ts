import {
  durationToMs,
  type FeatureGates,
  type KubeletConfiguration,
  type KubeletFlags,
} from '@podwright/kubelet-configuration';
import { formatResources, quantityFromUnits, quantityToMilli, type ResourceAmounts } from '@podwright/kube-types';
import { nodeReservation } from '@podwright/node-status';
import path from 'node:path';
import type { NodeFacts } from './node-facts.js';

type Options = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Options of the managers that give out CPUs and memory, and of the one that aligns them. */
export function exclusiveResourceOptions(
  configuration: KubeletConfiguration,
  flags: KubeletFlags,
  facts: Pick<NodeFacts, 'cores' | 'memoryBytes'>,
  featureGates: FeatureGates,
): Options {
  const reservation = reservationOf(configuration, flags, facts);
  const rootDir = path.resolve(flags.rootDir);
  const podLevelResourceManagers =
    featureGates.enabled('PodLevelResources') && featureGates.enabled('PodLevelResourceManagers');
  return {
    '@podwright/topology-manager': {
      policy: configuration.topologyManagerPolicy,
      scope: configuration.topologyManagerScope,
      policyOptions: configuration.topologyManagerPolicyOptions,
      podLevelResourceManagers,
    },
    '@podwright/cpu-manager': {
      rootDir,
      policy: configuration.cpuManagerPolicy,
      policyOptions: configuration.cpuManagerPolicyOptions,
      alphaOptions: featureGates.enabled('CPUManagerPolicyAlphaOptions'),
      betaOptions: featureGates.enabled('CPUManagerPolicyBetaOptions'),
      reconcilePeriodMs: durationToMs(configuration.cpuManagerReconcilePeriod),
      reservedSystemCpus: configuration.reservedSystemCPUs,
      // Absent is another fault than zero.
      reservedMilliCpu: reservation['cpu'] === undefined ? -1 : quantityToMilli(reservation['cpu']),
      topologyPolicy: configuration.topologyManagerPolicy,
      podLevelResourceManagers,
      disableQuota: featureGates.enabled('DisableCPUQuotaWithExclusiveCPUs'),
    },
    '@podwright/memory-manager': {
      rootDir,
      policy: configuration.memoryManagerPolicy,
      reservedMemory: configuration.reservedMemory,
      nodeReserved: formatResources(reservation),
      podLevelResourceManagers,
    },
  };
}

/** What the node keeps from pods; huge pages count where one of the reservations names them. */
function reservationOf(
  { kubeReserved, systemReserved, reservedSystemCPUs, evictionHard }: KubeletConfiguration,
  { experimentalAllocatableIgnoreEviction }: KubeletFlags,
  { cores, memoryBytes }: Pick<NodeFacts, 'cores' | 'memoryBytes'>,
): ResourceAmounts {
  const named = [...Object.keys(kubeReserved), ...Object.keys(systemReserved)];
  const hugePages = named.filter((name) => name.startsWith('hugepages-'));
  const capacity = {
    cpu: quantityFromUnits(cores),
    memory: quantityFromUnits(memoryBytes, 'BinarySI'),
    ...Object.fromEntries(hugePages.map((name) => [name, quantityFromUnits(0, 'BinarySI')])),
  };
  return nodeReservation(capacity, {
    kubeReserved,
    systemReserved,
    reservedSystemCpus: reservedSystemCPUs,
    evictionHard,
    ignoreHardEviction: experimentalAllocatableIgnoreEviction,
  });
}
