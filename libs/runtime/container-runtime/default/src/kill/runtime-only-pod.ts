import type { RuntimePod } from '@podwright/container-runtime-interface';
import type { Pod } from '@podwright/kube-types';

/**
 * The little that is known of a pod without an object: enough to kill it, but no hooks, no grace, no order.
 * Source: kubernetes v1.36 pkg/kubelet/container/runtime.go Pod.ToAPIPod.
 */
export function podOfRuntimePod({ uid, name, namespace, containers }: RuntimePod): Pod {
  return {
    metadata: { uid, name, namespace },
    spec: { containers: containers.map((container) => ({ name: container.name, image: container.image })) },
  };
}
