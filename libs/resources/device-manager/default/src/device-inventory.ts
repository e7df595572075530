/** One device as its plugin told of it last. */
export interface ListedDevice {
  readonly id: string;
  /** As the plugin says; `Healthy` is the only text that counts as such. */
  readonly health: string;
  /** Empty when the plugin does not tell. */
  readonly numaNodes: readonly number[];
}

interface Resource {
  devices: ReadonlyMap<string, ListedDevice>;
  healthy: Set<string>;
  unhealthy: Set<string>;
}

const none: ReadonlySet<string> = new Set();

/** The devices of each resource that a plugin has registered. Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/manager.go. */
export class DeviceInventory {
  private readonly resources = new Map<string, Resource>();

  /** A resource that is known by name alone, from before this process. */
  adopt(resource: string): void {
    this.resources.set(resource, { devices: new Map(), healthy: new Set(), unhealthy: new Set() });
  }

  /** The plugin's new list takes the place of the old one; of doubled ids the last counts. Gives ids that changed health or came. */
  replace(resource: string, listed: readonly ListedDevice[]): readonly string[] {
    const old = this.resources.get(resource)?.devices;
    const devices = new Map(listed.map((device) => [device.id, device]));
    const healthy = new Set<string>();
    const unhealthy = new Set<string>();
    const changed: string[] = [];
    for (const { id, health } of devices.values()) {
      (health === 'Healthy' ? healthy : unhealthy).add(id);
      // One that is new here may have been away for a while, and a pod may have it.
      if (old?.get(id)?.health !== health) changed.push(id);
    }
    this.resources.set(resource, { devices, healthy, unhealthy });
    return changed;
  }

  /** The plugin is gone: nothing of it can be given away. What it said of the health stays. */
  markUnhealthy(resource: string): void {
    const known = this.resources.get(resource);
    if (known === undefined) return;
    for (const id of known.healthy) known.unhealthy.add(id);
    known.healthy = new Set();
  }

  forget(resource: string): void {
    this.resources.delete(resource);
  }

  has(resource: string): boolean {
    return this.resources.has(resource);
  }

  names(): readonly string[] {
    return [...this.resources.keys()];
  }

  healthy(resource: string): ReadonlySet<string> {
    return this.resources.get(resource)?.healthy ?? none;
  }

  unhealthyCount(resource: string): number {
    return this.resources.get(resource)?.unhealthy.size ?? 0;
  }

  device(resource: string, id: string): ListedDevice | undefined {
    return this.resources.get(resource)?.devices.get(id);
  }

  devices(resource: string): Iterable<ListedDevice> {
    return this.resources.get(resource)?.devices.values() ?? [];
  }

  /** One device that says where it lies is enough. */
  hasTopology(resource: string): boolean {
    for (const { numaNodes } of this.devices(resource)) if (numaNodes.length > 0) return true;
    return false;
  }
}
