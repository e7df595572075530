import { configHashAnnotation, configMirrorAnnotation, podFullName } from '@podwright/kube-types';
import type { Node, Pod } from '@podwright/kube-types';

/**
 * The mirror pod to create for a static pod: the same pod with its hash as annotation and the node as owner, without
 * which the NodeRestriction admission plugin rejects it. The API server sets UID and status.
 */
export function toMirrorPod(staticPod: Pod, node: Node): Pod {
  const { uid: _uid, ...metadata } = staticPod.metadata;
  const hash = metadata.annotations?.[configHashAnnotation] ?? '';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, [configMirrorAnnotation]: hash },
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'Node',
          name: node.metadata?.name ?? '',
          uid: node.metadata?.uid ?? '',
          controller: true,
        },
      ],
    },
    spec: staticPod.spec,
  };
}

/** Same name, namespace and manifest. Source: kubernetes v1.36 pkg/kubelet/pod/pod_manager.go IsMirrorPodOf. */
export function isMirrorPodOf(mirrorPod: Pod, staticPod: Pod): boolean {
  return (
    podFullName(mirrorPod) === podFullName(staticPod) &&
    mirrorPod.metadata.annotations?.[configMirrorAnnotation] === staticPod.metadata.annotations?.[configHashAnnotation]
  );
}
