/** One device as its plugin last reported it. */
export interface ListedDevice {
  readonly id: string;
  /** The plugin's text; only `Healthy` counts as healthy. */
  readonly health: string;
  /** Empty when the plugin reports none. */
  readonly numaNodes: readonly number[];
}

interface Resource {
  devices: ReadonlyMap<string, ListedDevice>;
  healthy: Set<string>;
  unhealthy: Set<string>;
}

const none: ReadonlySet<string> = new Set();

/**
 * The devices of each resource that a plugin has registered. Source: kubernetes v1.36
 * pkg/kubelet/cm/devicemanager/manager.go.
 */
export class DeviceInventory {
  private readonly resources = new Map<string, Resource>();
  // Shown with no devices, and no pod is ever given one: upstream has them among its unhealthy devices alone.
  private readonly neverListed = new Set<string>();

  /** Adds a resource of which an earlier kubelet left only the name. */
  adopt(resource: string): void {
    this.neverListed.delete(resource);
    this.resources.set(resource, { devices: new Map(), healthy: new Set(), unhealthy: new Set() });
  }

  /**
   * Replaces the resource's devices by the plugin's new list; the last of duplicate ids counts. Returns ids that are
   * new or changed health.
   */
  replace(resource: string, listed: readonly ListedDevice[]): readonly string[] {
    const old = this.resources.get(resource)?.devices;
    const devices = new Map(listed.map((device) => [device.id, device]));
    const healthy = new Set<string>();
    const unhealthy = new Set<string>();
    const changed: string[] = [];
    for (const { id, health } of devices.values()) {
      (health === 'Healthy' ? healthy : unhealthy).add(id);
      // A device that is new in the list may have been missing for a while, and a pod may still hold it.
      if (old?.get(id)?.health !== health) changed.push(id);
    }
    this.neverListed.delete(resource);
    this.resources.set(resource, { devices, healthy, unhealthy });
    return changed;
  }

  /** The plugin is gone: none of its devices can be allocated. Each device keeps its last reported health. */
  markUnhealthy(resource: string): void {
    const known = this.resources.get(resource);
    if (known === undefined) {
      this.neverListed.add(resource);
      return;
    }
    for (const id of known.healthy) known.unhealthy.add(id);
    known.healthy = new Set();
  }

  forget(resource: string): void {
    this.resources.delete(resource);
    this.neverListed.delete(resource);
  }

  /** True when a plugin has listed its devices, to this kubelet or an earlier one. */
  has(resource: string): boolean {
    return this.resources.has(resource);
  }

  /** Resources for which `has` is true. */
  names(): readonly string[] {
    return [...this.resources.keys()];
  }

  /** Those, and resources whose plugin was gone before its first list. */
  registered(): readonly string[] {
    return [...this.resources.keys(), ...this.neverListed];
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

  /** True when at least one device reports its NUMA nodes. */
  hasTopology(resource: string): boolean {
    for (const { numaNodes } of this.devices(resource)) if (numaNodes.length > 0) return true;
    return false;
  }
}
