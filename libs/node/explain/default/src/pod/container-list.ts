import type { Container, ContainerStatus, Pod, PodStatus, Probe } from '@podwright/kube-types';
import { isSidecar } from '@podwright/kube-types';
import type { ExplainedContainer } from '@podwright/explain-interface';

/** A container of the spec with its status. */
export interface PodContainer {
  readonly name: string;
  readonly image: string;
  readonly type: ExplainedContainer['type'];
  readonly spec?: Container;
  readonly status?: ContainerStatus;
}

/** In the order of the spec; of a pod that is gone there is none. */
export function containersOf(pod: Pod | undefined, status: PodStatus | undefined): readonly PodContainer[] {
  if (pod === undefined) return [];
  const { initContainers = [], containers, ephemeralContainers = [] } = pod.spec;
  const statuses = [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
  const as = (type: PodContainer['type'], spec: Container): PodContainer => {
    const found = statuses.find(({ name }) => name === spec.name);
    return { name: spec.name, image: spec.image ?? '', type, spec, ...(found && { status: found }) };
  };
  return [
    ...initContainers.map((spec) => as(isSidecar(spec) ? 'sidecar' : 'init', spec)),
    ...containers.map((spec) => as('regular', spec)),
    ...(ephemeralContainers as readonly Container[]).map((spec) => as('ephemeral', spec)),
  ];
}

export const probesOf = ({ spec }: PodContainer): readonly (readonly ['startup' | 'liveness' | 'readiness', Probe])[] =>
  (
    [
      ['startup', spec?.startupProbe],
      ['liveness', spec?.livenessProbe],
      ['readiness', spec?.readinessProbe],
    ] as const
  ).flatMap(([kind, probe]) => (probe === undefined ? [] : [[kind, probe] as const]));

/** Whether it has done what the pod's start needs of it. */
export function isUp({ type, status }: PodContainer): boolean {
  const { running, terminated } = status?.state ?? {};
  if (type === 'init') return terminated?.exitCode === 0;
  if (type === 'ephemeral') return true;
  return running !== undefined || terminated?.exitCode === 0;
}
