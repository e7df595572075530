import { KubeletError } from '@podwright/errors';
import { podMetadataField, splitSubscript } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';
import { orderPodIps } from './pod-ip-order.js';

/** What the node adds to the pod's own fields. */
export interface NodeFields {
  readonly nodeName: string;
  /** Addresses of `--node-ip`; the family of the first one comes first. */
  readonly nodeIps: readonly string[];
  /** Addresses of the Node, at least one. Throws while the Node is unknown or has no address. */
  readonly hostIps: () => readonly string[];
}

// Paths that the API knows as fields of a pod; not all of them have a value here.
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
    case 'spec.host': // the old name of the field
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
