import { isSidecar, podUid, type Pod } from '@podwright/kube-types';
import type { DeviceAllocations } from './device-allocations.js';

/**
 * Devices of ordinary init containers that no other container of the pod has yet: later containers get them first.
 * Source: kubernetes v1.36 pkg/kubelet/cm/devicemanager/manager.go Allocate. Upstream remembers them for the pod under
 * admission; here several pods may wait for their plugins at a time.
 */
export function reusableDevices(pod: Pod, resource: string, allocations: DeviceAllocations): ReadonlySet<string> {
  const { sidecars, inits, others } = devicesByKind(pod, resource, allocations);
  return new Set(inits.filter((id) => ![...sidecars, ...others].includes(id)));
}

/**
 * What an ordinary init container may have: the devices of all containers that never run beside it. It has none yet when
 * it ran before its plugin registered, and later containers may have got the last ones before it runs again.
 */
export function devicesForInit(pod: Pod, resource: string, allocations: DeviceAllocations): ReadonlySet<string> {
  const { sidecars, inits, others } = devicesByKind(pod, resource, allocations);
  return new Set([...inits, ...others].filter((id) => !sidecars.includes(id)));
}

function devicesByKind(
  pod: Pod,
  resource: string,
  allocations: DeviceAllocations,
): Readonly<Record<'sidecars' | 'inits' | 'others', readonly string[]>> {
  const { initContainers = [], containers } = pod.spec;
  const idsOf = (list: typeof containers): readonly string[] =>
    list.flatMap(({ name }) => [...(allocations.ids(podUid(pod), name, resource) ?? [])]);
  return {
    sidecars: idsOf(initContainers.filter(isSidecar)),
    inits: idsOf(initContainers.filter((init) => !isSidecar(init))),
    others: idsOf(containers),
  };
}
