import { isSidecar, podUid, type Container, type Pod } from '@podwright/kube-types';
import type { DeviceAllocations } from './device-allocations.js';

const nothing: ReadonlySet<string> = new Set();

/**
 * Devices of ordinary init containers, which the containers after them get first. In memory alone, of the pod that is being
 * admitted. Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/manager.go Allocate.
 */
export class ReusableDevices {
  private podUid: string | undefined;
  private readonly byResource = new Map<string, Set<string>>();

  constructor(private readonly allocations: DeviceAllocations) {}

  of(uid: string, resource: string): ReadonlySet<string> {
    return (uid === this.podUid ? this.byResource.get(resource) : undefined) ?? nothing;
  }

  /** Before the container is given its devices. */
  turnTo(pod: Pod): void {
    if (podUid(pod) === this.podUid) return;
    this.byResource.clear();
    this.podUid = podUid(pod);
  }

  /** After that: an init container that ends leaves them, whoever stays keeps them. */
  note(pod: Pod, container: Container): void {
    // Another pod has taken its turn while the plugin was asked.
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
