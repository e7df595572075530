import { isSidecar, type Container, type Pod } from '@podwright/kube-types';

/**
 * Containers whose resources are recorded and may be resized. Source: kubernetes v1.36 pkg/kubelet/allocation
 * IsResizableContainer.
 */
export function resizableContainers(
  { spec }: Pod,
  { initContainerResize }: { readonly initContainerResize: boolean },
): readonly Container[] {
  const init = (spec.initContainers ?? []).filter((container) => initContainerResize || isSidecar(container));
  return [...init, ...spec.containers];
}
