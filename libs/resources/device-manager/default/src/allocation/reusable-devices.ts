import { isSidecar, podUid, type Container, type Pod } from '@podwright/kube-types';
import type { DeviceAllocations } from './device-allocations.js';

const nothing: ReadonlySet<string> = new Set();

/**
 * Devices of ordinary init containers, which later containers of the pod get first. Kept in memory only, for the pod
 * under admission. Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/manager.go Allocate.
 */
export class ReusableDevices {
  private podUid: string | undefined;
  private readonly byResource = new Map<string, Set<string>>();

  constructor(private readonly allocations: DeviceAllocations) {}

  of(uid: string, resource: string): ReadonlySet<string> {
    return (uid === this.podUid ? this.byResource.get(resource) : undefined) ?? nothing;
  }

  /** Call it before a container of the pod gets its devices; drops the devices of another pod. */
  turnTo(pod: Pod): void {
    if (podUid(pod) === this.podUid) return;
    this.byResource.clear();
    this.podUid = podUid(pod);
  }

  /** Call it after that: an init container's devices become reusable; those of any other container do not. */
  note(pod: Pod, container: Container): void {
    // Admission turned to another pod while the plugin was answering.
    if (podUid(pod) !== this.podUid) return;
    const init = pod.spec.initContainers?.find(({ name }) => name === container.name);
    const leaves = init !== undefined && !isSidecar(init);
    for (const [resource] of this.allocations.ofContainer(podUid(pod), container.name)) {
      const reusable = this.byResource.get(resource) ?? new Set<string>();
      this.byResource.set(resource, reusable);
      for (const id of this.allocations.ids(podUid(pod), container.name, resource) ?? nothing)
        if (leaves) reusable.add(id);
        else reusable.delete(id);
    }
  }
}
