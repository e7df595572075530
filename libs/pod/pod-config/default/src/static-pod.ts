import { configHashAnnotation } from '@podwright/kube-types';
import type { Pod, Toleration } from '@podwright/kube-types';

/** Where a manifest comes from: a path or a URL. */
export type ManifestOrigin = { readonly file: string } | { readonly url: string };

// Static pods must not be evicted when the node has a problem.
const tolerateEviction: Toleration = { operator: 'Exists', effect: 'NoExecute' };

/**
 * Makes a decoded and defaulted pod the static pod of this node: its name gets the node's name as suffix, so that its
 * mirror pod is unique in the cluster. `uid`: that of the manifest, or derived from it.
 * Source: kubernetes v1.36 pkg/kubelet/config/common.go, applyDefaults.
 */
export function toStaticPod(pod: Pod, uid: string, nodeName: string, origin: ManifestOrigin): Pod {
  const { metadata, spec } = pod;
  return {
    ...pod,
    metadata: {
      ...metadata,
      uid,
      name: `${metadata.name ?? ''}-${nodeName.toLowerCase()}`,
      namespace: metadata.namespace || 'default',
      annotations: { ...metadata.annotations, [configHashAnnotation]: uid },
    },
    spec: { ...spec, nodeName, ...('file' in origin && { tolerations: withToleration(spec.tolerations ?? []) }) },
    status: { ...pod.status, phase: 'Pending' },
  };
}

/** Takes the place of those that differ in their seconds alone. */
function withToleration(tolerations: readonly Toleration[]): readonly Toleration[] {
  const isSame = ({ key, operator, effect, value }: Toleration): boolean =>
    !key && operator === 'Exists' && effect === 'NoExecute' && !value;
  if (!tolerations.some(isSame)) return [...tolerations, tolerateEviction];
  return tolerations.map((each) => (isSame(each) ? tolerateEviction : each));
}
