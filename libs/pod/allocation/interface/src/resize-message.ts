import { goJson, goMap, type Container, type Pod } from '@podwright/kube-types';

/** Stage of a resize, spelled as in upstream's events; of one that waits, the reason, such as `OutOfcpu` or `Infeasible`. */
export type ResizeStage = 'started' | 'completed' | 'error' | (string & {});

/**
 * Message of the events ResizeStarted, ResizeCompleted, ResizeDeferred, ResizeInfeasible and ResizeError: the pod's
 * resources as JSON, encoded as Go does. Source: kubernetes v1.36 pkg/kubelet/events/resize.go.
 */
export function resizeMessage(stage: ResizeStage, pod: Pod, generation: number, error = ''): string {
  const { initContainers = [], containers } = pod.spec;
  const summary = {
    ...(initContainers.length > 0 && { initContainers: initContainers.map(summaryOf) }),
    ...(containers.length > 0 && { containers: containers.map(summaryOf) }),
    generation,
    ...(error !== '' && { error }),
  };
  return `Pod resize ${stage}: ${goJson(summary)}`;
}

function summaryOf({ name, resources: { limits, requests, claims } = {} }: Container): object {
  return {
    name,
    resources: {
      ...(limits && Object.keys(limits).length > 0 && { limits: goMap(Object.entries(limits)) }),
      ...(requests && Object.keys(requests).length > 0 && { requests: goMap(Object.entries(requests)) }),
      ...(claims && claims.length > 0 && { claims }),
    },
  };
}
