import { deepEqual, type RuntimeClass } from '@podwright/kube-types';
import { asPod } from '../strategies/pod-strategy.js';
import { createsPod, refused, type AdmissionPlugin } from './admission.js';

/**
 * Sets the overhead, node selector and tolerations of a pod's runtime class.
 * Source: kubernetes v1.36 plugin/pkg/admission/runtimeclass/admission.go.
 */
export const admitRuntimeClass: AdmissionPlugin = (request, { store }) => {
  const { object } = request;
  if (!createsPod(request) || object === undefined) return undefined;
  const { spec } = asPod(object);
  const name = spec.runtimeClassName;
  if (!name) {
    if (spec.overhead === undefined) return undefined;
    throw refused(request, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
  }
  const found = store.get('runtimeclasses.node.k8s.io', name) as RuntimeClass | undefined;
  if (found === undefined) throw refused(request, `pod rejected: RuntimeClass "${name}" not found`);
  const overhead = found.overhead?.podFixed;
  if (spec.overhead !== undefined && !deepEqual(spec.overhead, overhead ?? {})) {
    throw refused(request, "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }
  const { nodeSelector = {}, tolerations = [] } = found.scheduling ?? {};
  for (const [key, value] of Object.entries(nodeSelector)) {
    const own = spec.nodeSelector?.[key];
    if (own !== undefined && own !== value) {
      throw refused(
        request,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
      );
    }
  }
  const added = tolerations.filter((candidate) => !(spec.tolerations ?? []).some((own) => deepEqual(own, candidate)));
  return {
    ...object,
    spec: {
      ...spec,
      ...(overhead && { overhead }),
      ...(Object.keys(nodeSelector).length > 0 && { nodeSelector: { ...spec.nodeSelector, ...nodeSelector } }),
      ...(added.length > 0 && { tolerations: [...(spec.tolerations ?? []), ...added] }),
    },
  };
};
