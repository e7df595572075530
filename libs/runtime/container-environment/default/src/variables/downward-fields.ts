import { KubeletError } from '@podwright/errors';
import { podMetadataField, splitSubscript } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';
import { orderPodIps } from './pod-ip-order.js';

/** What the node adds to a pod's own fields. */
export interface NodeFields {
  readonly nodeName: string;
  /** Those of `--node-ip`: the family of the first goes first. */
  readonly nodeIps: readonly string[];
  /** Addresses of the Node for pods, at least one. Throws when nothing is known of it or it has none. */
  readonly hostIps: () => readonly string[];
}

// Known to the API as fields of a pod; not all of them have a value here.
const knownPaths = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]);

/**
 * Value of a `fieldRef` in a variable.
 * @throws KubeletError for a path that the downward API does not know. Source: kubernetes v1.36
 * pkg/kubelet/kubelet_pods.go podFieldSelectorRuntimeValue, pkg/apis/core/pods/helpers.go ConvertDownwardAPIFieldLabel.
 */
export function downwardField(pod: Pod, fieldPath: string, podIps: readonly string[], node: NodeFields): string {
  demandKnown(fieldPath);
  switch (fieldPath) {
    case 'spec.nodeName':
    case 'spec.host': // the name that the field had once
      return pod.spec.nodeName ?? node.nodeName;
    case 'spec.serviceAccountName':
      return pod.spec.serviceAccountName ?? '';
    case 'status.hostIP':
      return node.hostIps()[0] ?? '';
    case 'status.hostIPs':
      return node.hostIps().join(',');
    case 'status.podIP':
      return orderPodIps(podIps, node.nodeIps)[0] ?? podIps[0] ?? '';
    case 'status.podIPs':
      return orderPodIps(podIps, node.nodeIps).join(',');
    default:
      return podMetadataField(pod, fieldPath);
  }
}

function demandKnown(fieldPath: string): void {
  const subscript = splitSubscript(fieldPath);
  if (subscript === undefined) {
    if (knownPaths.has(fieldPath) || fieldPath === 'spec.host') return;
    throw new KubeletError(`field label not supported: ${fieldPath}`, { code: 'invalid-argument' });
  }
  if (subscript.path === 'metadata.labels' || subscript.path === 'metadata.annotations') return;
  throw new KubeletError(`field label does not support subscript: ${fieldPath}`, { code: 'invalid-argument' });
}
