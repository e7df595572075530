import type { Container, EphemeralContainer, Pod, PodSpec } from '../objects.js';

export type ContainerKind = 'init' | 'regular' | 'ephemeral';

/** A container with its kind and its field path, such as `spec.initContainers[0]`. */
export interface ContainerVisit {
  readonly container: Container | EphemeralContainer;
  readonly kind: ContainerKind;
  readonly path: string;
}

/**
 * All containers of the spec in the order of upstream's VisitContainers: init, regular, ephemeral, each in spec order.
 */
export function* visitContainers(spec: PodSpec): Generator<ContainerVisit> {
  for (const [kind, field, list] of [
    ['init', 'initContainers', spec.initContainers],
    ['regular', 'containers', spec.containers],
    ['ephemeral', 'ephemeralContainers', spec.ephemeralContainers],
  ] as const) {
    let index = 0;
    for (const container of list ?? []) {
      yield { container, kind, path: `spec.${field}[${index}]` };
      index += 1;
    }
  }
}

/** The init, regular or ephemeral container called `name` (names are unique over all three kinds). */
export function findContainer(pod: Pod, name: string): ContainerVisit | undefined {
  for (const visit of visitContainers(pod.spec)) {
    if (visit.container.name === name) return visit;
  }
  return undefined;
}

const listNames = { init: 'initContainers', regular: 'containers', ephemeral: 'ephemeralContainers' } as const;

/**
 * A container's field path as events show it: `spec.containers{name}`, or `spec.containers[index]` when the container
 * has no name. Undefined when the pod has no such container. Source: kubernetes v1.36 pkg/kubelet/container/ref.go
 * fieldPath.
 */
export function containerFieldPath(pod: Pod, name: string): string | undefined {
  const visit = findContainer(pod, name);
  if (visit === undefined) return undefined;
  return name === '' ? visit.path : `spec.${listNames[visit.kind]}{${name}}`;
}
