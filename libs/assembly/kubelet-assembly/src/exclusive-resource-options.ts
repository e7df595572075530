import { configure, type ConfiguredModule } from '@podwright/assembly-interface';
import { cpuManagerModule } from '@podwright/cpu-manager';
import {
  formatResources,
  isHugePageResource,
  quantityFromUnits,
  quantityToMilli,
  type ResourceAmounts,
} from '@podwright/kube-types';
import { memoryManagerModule } from '@podwright/memory-manager';
import { nodeReservation } from '@podwright/node-status';
import path from 'node:path';
import { parseGoDuration } from '@podwright/time';
import { topologyManagerModule } from '@podwright/topology-manager';
import type { NodeSettings } from './node-settings.js';

/** Options of the CPU, memory and topology managers. */
export function exclusiveResourceOptions(settings: NodeSettings): readonly ConfiguredModule[] {
  const { configuration, flags } = settings;
  const reservation = reservationOf(settings);
  const rootDir = path.resolve(flags.rootDir);
  return [
    configure(topologyManagerModule, {
      policy: configuration.topologyManagerPolicy,
      scope: configuration.topologyManagerScope,
      policyOptions: configuration.topologyManagerPolicyOptions,
    }),
    configure(cpuManagerModule, {
      rootDir,
      policy: configuration.cpuManagerPolicy,
      policyOptions: configuration.cpuManagerPolicyOptions,
      reconcilePeriodMs: parseGoDuration(configuration.cpuManagerReconcilePeriod),
      reservedSystemCpus: configuration.reservedSystemCPUs,
      // Absent and zero are different faults.
      reservedMilliCpu: reservation['cpu'] === undefined ? -1 : quantityToMilli(reservation['cpu']),
      topologyPolicy: configuration.topologyManagerPolicy,
    }),
    configure(memoryManagerModule, {
      rootDir,
      policy: configuration.memoryManagerPolicy,
      reservedMemory: configuration.reservedMemory,
      nodeReserved: formatResources(reservation),
    }),
  ];
}

/** Resources that the node keeps from pods. Huge pages are included only when one of the reservations names them. */
function reservationOf({
  configuration: { kubeReserved, systemReserved, reservedSystemCPUs, evictionHard },
  flags: { experimentalAllocatableIgnoreEviction },
  facts: { cores, memoryBytes },
}: NodeSettings): ResourceAmounts {
  const named = [...Object.keys(kubeReserved), ...Object.keys(systemReserved)];
  const hugePages = named.filter(isHugePageResource);
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
