import { podUid, type Container, type Pod } from '@podwright/kube-types';
import type { TopologyHint, TopologyHints } from '@podwright/topology-manager-interface';
import type { DeviceAllocations } from '../allocation/device-allocations.js';
import { deviceHints } from './device-hints.js';
import type { DeviceInventory } from '../devices/device-inventory.js';
import { deviceRequests, podDeviceRequests } from '../allocation/device-requests.js';

const nothing: ReadonlySet<string> = new Set();

interface HintQuestion {
  readonly resource: string;
  readonly request: number;
  readonly given: ReadonlySet<string> | undefined;
  readonly reusable: ReadonlySet<string>;
}

/** Hints for the topology manager. Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/topology_hints.go. */
export class DeviceHintSource {
  /** NUMA nodes of the machine; undefined until they are known. */
  machineNodes: readonly number[] | undefined;

  constructor(
    private readonly inventory: DeviceInventory,
    private readonly allocations: DeviceAllocations,
    private readonly isDevice: (resource: string) => boolean,
  ) {}

  ofContainer(pod: Pod, container: Container, reusable: (resource: string) => ReadonlySet<string>): TopologyHints {
    const uid = podUid(pod);
    return this.hints(deviceRequests(container), (resource) => ({
      given: this.allocations.ids(uid, container.name, resource),
      reusable: reusable(resource),
    }));
  }

  ofPod(pod: Pod): TopologyHints {
    const uid = podUid(pod);
    return this.hints(podDeviceRequests(pod), (resource) => ({
      given: this.allocations.idsOfPod(uid, resource),
      reusable: nothing,
    }));
  }

  private hints(
    requests: readonly (readonly [string, number])[],
    known: (resource: string) => Pick<HintQuestion, 'given' | 'reusable'>,
  ): TopologyHints {
    const devices = requests.filter(([resource]) => this.isDevice(resource));
    return Object.fromEntries(
      devices.map(([resource, request]) => [resource, this.hint({ resource, request, ...known(resource) })]),
    );
  }

  private hint({ resource, request, given, reusable }: HintQuestion): readonly TopologyHint[] | undefined {
    if (!this.inventory.hasTopology(resource)) return undefined;
    const common = { devices: this.inventory.devices(resource), machineNodes: this.machineNodes, request };
    // The container has its devices already, for example after a restart of the kubelet: same hints again.
    if (given !== undefined && given.size > 0)
      return given.size === request ? deviceHints({ ...common, available: given, reusable: nothing }) : [];
    const held = this.allocations.held(resource);
    const available = new Set([...this.inventory.healthy(resource)].filter((id) => !held.has(id)));
    if (new Set([...available, ...reusable]).size < request) return [];
    return deviceHints({ ...common, available, reusable });
  }
}
