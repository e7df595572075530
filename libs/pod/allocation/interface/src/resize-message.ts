import type { Container, Pod } from '@podwright/kube-types';

/** What became of a resize, as upstream's events spell it. */
export type ResizeStage = 'started' | 'completed' | 'error' | 'Deferred' | 'Infeasible';

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/**
 * Text of the events ResizeStarted, ResizeCompleted, ResizeDeferred, ResizeInfeasible and ResizeError: the resources of the
 * given pod as JSON, in the form of Go's encoder. Source: kubernetes v1.36 pkg/kubelet/events/resize.go.
 */
export function resizeMessage(stage: ResizeStage, pod: Pod, generation: number, error = ''): string {
  const { initContainers = [], containers } = pod.spec;
  const summary = {
    ...(initContainers.length > 0 && { initContainers: initContainers.map(summaryOf) }),
    ...(containers.length > 0 && { containers: containers.map(summaryOf) }),
    generation,
    ...(error !== '' && { error }),
  };
  const json = JSON.stringify(summary).replace(/[<>&\u2028\u2029]/g, (character) => escapes[character] ?? character);
  return `Pod resize ${stage}: ${json}`;
}

function summaryOf({ name, resources: { limits, requests, claims } = {} }: Container): object {
  return {
    name,
    resources: {
      ...(limits && Object.keys(limits).length > 0 && { limits: sorted(limits) }),
      ...(requests && Object.keys(requests).length > 0 && { requests: sorted(requests) }),
      ...(claims && claims.length > 0 && { claims }),
    },
  };
}

function sorted(list: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(list).sort(([left], [right]) => (left < right ? -1 : 1)));
}
