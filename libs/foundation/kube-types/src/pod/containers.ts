import type { Container, EphemeralContainer, Pod, PodSpec } from '../objects.js';

export type ContainerKind = 'init' | 'regular' | 'ephemeral';

/** One container with the place where it stands; `path` is its field path, such as `spec.initContainers[0]`. */
export interface ContainerVisit {
  readonly container: Container | EphemeralContainer;
  readonly kind: ContainerKind;
  readonly path: string;
}

/** All containers of the spec: init, regular, ephemeral, each in spec order (upstream's VisitContainers order). */
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

/** The container of that name among init, regular and ephemeral ones (names are unique over all three). */
export function findContainer(pod: Pod, name: string): ContainerVisit | undefined {
  for (const visit of visitContainers(pod.spec)) {
    if (visit.container.name === name) return visit;
  }
  return undefined;
}

const listNames = { init: 'initContainers', regular: 'containers', ephemeral: 'ephemeralContainers' } as const;

/**
 * A container's place as events show it: `spec.containers{name}`, for one without a name `spec.containers[index]`; undefined
 * for a container that is not of the pod. Source: kubernetes v1.36 pkg/kubelet/container/ref.go fieldPath.
 */
export function containerFieldPath(pod: Pod, name: string): string | undefined {
  const visit = findContainer(pod, name);
  if (visit === undefined) return undefined;
  return name === '' ? visit.path : `spec.${listNames[visit.kind]}{${name}}`;
}
