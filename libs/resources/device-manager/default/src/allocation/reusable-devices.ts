import { isSidecar, podUid, type Pod } from '@podwright/kube-types';
import type { DeviceAllocations } from './device-allocations.js';

/**
 * Devices of ordinary init containers that no other container of the pod has yet: later containers get them first.
 * Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/manager.go Allocate. Upstream remembers them for the pod under
 * admission; here several pods may wait for their plugins at a time.
 */
export function reusableDevices(pod: Pod, resource: string, allocations: DeviceAllocations): ReadonlySet<string> {
  const { initContainers = [], containers } = pod.spec;
  const idsOf = (list: typeof containers): readonly string[] =>
    list.flatMap(({ name }) => [...(allocations.ids(podUid(pod), name, resource) ?? [])]);
  const used = new Set(idsOf([...initContainers.filter(isSidecar), ...containers]));
  return new Set(idsOf(initContainers.filter((init) => !isSidecar(init))).filter((id) => !used.has(id)));
}
