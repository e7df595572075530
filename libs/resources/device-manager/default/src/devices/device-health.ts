import type { AllocatedResourceHealth } from '@podwright/device-manager-interface';
import { podUid, type Pod } from '@podwright/kube-types';
import type { DeviceAllocations } from '../allocation/device-allocations.js';
import { idsOf } from '../allocation/device-allocations.js';
import type { DeviceInventory } from './device-inventory.js';

type Listener = (podUids: readonly string[]) => void;

/**
 * {@link AllocatedResourceHealth} of devices. Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/manager.go
 * UpdateAllocatedResourcesStatus.
 */
export class DeviceHealth implements AllocatedResourceHealth {
  private readonly listeners = new Set<Listener>();

  constructor(
    private readonly inventory: DeviceInventory,
    private readonly allocations: DeviceAllocations,
    private readonly enabled: boolean,
  ) {}

  of(pod: Pod, container: string): ReturnType<AllocatedResourceHealth['of']> {
    if (!this.enabled) return [];
    return [...this.allocations.ofContainer(podUid(pod), container)]
      .filter(([, { idsByNode }]) => idsByNode.size > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, allocation]) => ({
        name,
        resources: [...idsOf(allocation)].sort().map((resourceId) => {
          // A device that the plugin no longer lists is not known to be unhealthy.
          const { health = 'Healthy' } = this.inventory.device(name, resourceId) ?? {};
          return { resourceId, health: health === 'Healthy' ? ('Healthy' as const) : ('Unhealthy' as const) };
        }),
      }));
  }

  watch(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Notifies about pods that have one of the devices; as upstream, it does not compare the resource. */
  changed(ids: readonly string[]): void {
    if (!this.enabled || ids.length === 0 || this.listeners.size === 0) return;
    const changed = new Set(ids);
    const podUids = new Set<string>();
    for (const { podUid: uid, allocation } of this.allocations.entries())
      for (const id of idsOf(allocation)) if (changed.has(id)) podUids.add(uid);
    if (podUids.size > 0) for (const listener of this.listeners) listener([...podUids]);
  }
}
