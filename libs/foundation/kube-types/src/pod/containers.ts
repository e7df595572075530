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
