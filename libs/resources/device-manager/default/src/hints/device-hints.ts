import { allCombinations } from '@podwright/machine';
import type { TopologyHint } from '@podwright/topology-manager-interface';
import type { ListedDevice } from '../devices/device-inventory.js';

export interface DeviceHintsInput {
  /** All devices of the resource, whatever their health. */
  readonly devices: Iterable<ListedDevice>;
  readonly available: ReadonlySet<string>;
  /** Devices of the pod's init containers that this container may reuse; every hint must contain them. */
  readonly reusable: ReadonlySet<string>;
  readonly request: number;
  /** Nodes of this machine; when undefined, the nodes of the devices are used. */
  readonly machineNodes: readonly number[] | undefined;
}

interface Group {
  readonly nodes: readonly number[];
  all: number;
  available: number;
  reusable: number;
}

/**
 * Sets of NUMA nodes with enough devices; the smallest sets that the resource allows are preferred.
 * Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/topology_hints.go generateDeviceTopologyHints.
 */
export function deviceHints({ request, machineNodes, ...input }: DeviceHintsInput): readonly TopologyHint[] {
  const groups = groupsOf(input);
  const reported = [...new Set(groups.flatMap(({ nodes }) => nodes))].sort((a, b) => a - b);
  const known = machineNodes === undefined ? reported : reported.filter((node) => machineNodes.includes(node));
  const nodes = known.length > 0 ? known : [...(machineNodes ?? [])].sort((a, b) => a - b);
  let smallest = nodes.length;
  const fits: (readonly number[])[] = [];
  for (const mask of allCombinations(nodes)) {
    const touched = groups.filter((group) => group.nodes.some((node) => mask.includes(node)));
    const sum = (of: (group: Group) => number): number => touched.reduce((total, group) => total + of(group), 0);
    if (sum((group) => group.all) >= request) smallest = Math.min(smallest, mask.length);
    if (groups.some((group) => group.reusable > 0 && group.nodes.length > 0 && !touched.includes(group))) continue;
    if (sum((group) => group.reusable + group.available) >= request) fits.push(mask);
  }
  return fits.map((numaNodes) => ({ numaNodes, preferred: numaNodes.length === smallest }));
}

// Grouped, because thousands of devices lie on few sets of nodes and there are many masks.
function groupsOf({
  devices,
  available,
  reusable,
}: Pick<DeviceHintsInput, 'devices' | 'available' | 'reusable'>): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { id, numaNodes } of devices) {
    const key = numaNodes.join();
    const group = groups.get(key) ?? { nodes: numaNodes, all: 0, available: 0, reusable: 0 };
    groups.set(key, group);
    group.all += 1;
    if (available.has(id)) group.available += 1;
    if (reusable.has(id)) group.reusable += 1;
  }
  return [...groups.values()];
}
