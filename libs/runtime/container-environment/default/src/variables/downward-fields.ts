import { KubeletError } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';

/** What the node adds to a pod's own fields. */
export interface NodeFields {
  readonly nodeName: string;
  readonly nodeIps: readonly string[];
}

const mapEntry = /^metadata\.(annotations|labels)\['(.*)'\]$/;

/**
 * Value of a `fieldRef` in a variable.
 * @throws KubeletError for a path that the downward API does not know. Source: kubernetes v1.36
 * pkg/kubelet/kubelet_pods.go podFieldSelectorRuntimeValue, pkg/fieldpath/fieldpath.go.
 */
export function downwardField(pod: Pod, fieldPath: string, podIps: readonly string[], node: NodeFields): string {
  const entry = mapEntry.exec(fieldPath);
  if (entry !== null) {
    const values = entry[1] === 'labels' ? pod.metadata.labels : pod.metadata.annotations;
    const key = entry[2] ?? '';
    return values !== undefined && Object.hasOwn(values, key) ? (values[key] ?? '') : '';
  }
  switch (fieldPath) {
    case 'metadata.name':
      return pod.metadata.name ?? '';
    case 'metadata.namespace':
      return pod.metadata.namespace ?? '';
    case 'metadata.uid':
      return pod.metadata.uid ?? '';
    case 'spec.nodeName':
      return pod.spec.nodeName ?? node.nodeName;
    case 'spec.serviceAccountName':
      return pod.spec.serviceAccountName ?? '';
    case 'status.hostIP':
      return hostIps(node)[0] ?? '';
    case 'status.hostIPs':
      return hostIps(node).join(',');
    case 'status.podIP':
      return podIps[0] ?? '';
    case 'status.podIPs':
      return podIps.join(',');
    default:
      throw new KubeletError(`unsupported fieldPath: ${fieldPath}`, { code: 'invalid-argument' });
  }
}

function hostIps({ nodeIps }: NodeFields): readonly string[] {
  if (nodeIps.length > 0) return nodeIps;
  throw new KubeletError('cannot get host IPs: the node has no known address', { code: 'failed-precondition' });
}
