import type { ContainerAllocateResponse } from '@podwright/device-manager-interface';

/** Number used for the NUMA node of devices that report none. */
export const nodeWithoutTopology = -1;

/** The devices of one resource that one container has. */
export interface DeviceAllocation {
  /** By NUMA node; a device that lies on several nodes is listed under each. */
  readonly idsByNode: ReadonlyMap<number, readonly string[]>;
  readonly response: ContainerAllocateResponse;
}

export interface AllocationEntry {
  readonly podUid: string;
  readonly container: string;
  readonly resource: string;
  readonly allocation: DeviceAllocation;
}

/** Devices that the kubelet is requesting from a plugin. */
export interface DeviceClaim {
  readonly podUid: string;
  readonly resource: string;
  readonly ids: Set<string>;
}

type ByResource = Map<string, DeviceAllocation>;

export const idsOf = ({ idsByNode }: DeviceAllocation): Set<string> => new Set([...idsByNode.values()].flat());

/** Which container has which devices. Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/pod_devices.go. */
export class DeviceAllocations {
  private readonly pods = new Map<string, Map<string, ByResource>>();
  private readonly claims = new Set<DeviceClaim>();

  insert({ podUid, container, resource, allocation }: AllocationEntry): void {
    const containers = this.pods.get(podUid) ?? new Map<string, ByResource>();
    this.pods.set(podUid, containers);
    const resources = containers.get(container) ?? new Map<string, DeviceAllocation>();
    containers.set(container, resources);
    resources.set(resource, allocation);
  }

  podUids(): readonly string[] {
    return [...this.pods.keys()];
  }

  hasPod(podUid: string): boolean {
    return this.pods.has(podUid);
  }

  /** Also its claims, at once: their requests are aborted, which takes a moment. */
  removePod(podUid: string): void {
    this.pods.delete(podUid);
    for (const claim of this.claims) if (claim.podUid === podUid) this.claims.delete(claim);
  }

  ofContainer(podUid: string, container: string): ReadonlyMap<string, DeviceAllocation> {
    return this.pods.get(podUid)?.get(container) ?? new Map<string, DeviceAllocation>();
  }

  /** undefined: the container has none of the resource. */
  ids(podUid: string, container: string, resource: string): Set<string> | undefined {
    const allocation = this.pods.get(podUid)?.get(container)?.get(resource);
    return allocation && idsOf(allocation);
  }

  idsOfPod(podUid: string, resource: string): Set<string> {
    const ids = new Set<string>();
    for (const resources of this.pods.get(podUid)?.values() ?? [])
      for (const id of allIds(resources.get(resource))) ids.add(id);
    return ids;
  }

  *entries(): Iterable<AllocationEntry> {
    for (const [podUid, containers] of this.pods)
      for (const [container, resources] of containers)
        for (const [resource, allocation] of resources) yield { podUid, container, resource, allocation };
  }

  /** The claim's devices count as held until `release`. */
  claim({ podUid, resource }: Omit<DeviceClaim, 'ids'>): DeviceClaim {
    const claim = { podUid, resource, ids: new Set<string>() };
    this.claims.add(claim);
    return claim;
  }

  release(claim: DeviceClaim): void {
    this.claims.delete(claim);
  }

  /** Devices that cannot be allocated: allocated already, or being requested. */
  held(resource: string): Set<string> {
    const held = new Set<string>();
    for (const entry of this.entries())
      if (entry.resource === resource) for (const id of allIds(entry.allocation)) held.add(id);
    for (const claim of this.claims) if (claim.resource === resource) for (const id of claim.ids) held.add(id);
    return held;
  }

  resources(): ReadonlySet<string> {
    const names = new Set<string>();
    for (const { resource } of this.entries()) names.add(resource);
    for (const { resource, ids } of this.claims) if (ids.size > 0) names.add(resource);
    return names;
  }
}

function allIds(allocation: DeviceAllocation | undefined): readonly string[] {
  return allocation === undefined ? [] : [...allocation.idsByNode.values()].flat();
}
