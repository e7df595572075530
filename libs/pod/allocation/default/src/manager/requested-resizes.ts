import { compareQuantities, deepEqual, type Container, type Pod, type QuantityLike } from '@podwright/kube-types';
import { resizableContainers } from '../state/resizable-container.js';

/**
 * One value of one container that a new spec changes; the fields are labels of
 * `kubelet_container_requested_resizes_total`.
 */
export type RequestedResize = {
  readonly resource: 'memory' | 'cpu';
  readonly requirement: 'requests' | 'limits';
  readonly operation: 'add' | 'remove' | 'increase' | 'decrease';
};

/**
 * Lists the values that a new spec changes. Source: kubernetes v1.36 pkg/kubelet/kubelet.go
 * recordContainerResizeOperations.
 */
export function requestedResizes(
  oldPod: Pod,
  newPod: Pod,
  config: { readonly initContainerResize: boolean },
): readonly RequestedResize[] {
  const before = new Map(resizableContainers(oldPod, config).map((container) => [container.name, container]));
  return resizableContainers(newPod, config).flatMap((container) => {
    const old = before.get(container.name);
    return old === undefined ? [] : changesOf(old, container);
  });
}

export function podLevelChanged(oldPod: Pod, newPod: Pod): boolean {
  return !deepEqual(oldPod.spec.resources, newPod.spec.resources);
}

function changesOf(old: Container, container: Container): RequestedResize[] {
  const changes: RequestedResize[] = [];
  for (const resource of ['memory', 'cpu'] as const) {
    for (const requirement of ['requests', 'limits'] as const) {
      const operation = operationOf(
        container.resources?.[requirement]?.[resource],
        old.resources?.[requirement]?.[resource],
      );
      if (operation !== undefined) changes.push({ resource, requirement, operation });
    }
  }
  return changes;
}

function operationOf(now: QuantityLike, before: QuantityLike): RequestedResize['operation'] | undefined {
  const difference = compareQuantities(now, before);
  if (difference === 0) return undefined;
  if (compareQuantities(now, '0') === 0) return 'remove';
  if (compareQuantities(before, '0') === 0) return 'add';
  return difference < 0 ? 'decrease' : 'increase';
}
