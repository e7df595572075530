import type { RuntimePod } from '@podwright/container-runtime-interface';
import type { Pod } from '@podwright/kube-types';

/**
 * A minimal pod for one that the kubelet has no object for: enough to kill it, without hooks, grace period or order.
 * Source: kubernetes v1.36 pkg/kubelet/container/runtime.go Pod.ToAPIPod.
 */
export function podOfRuntimePod({ uid, name, namespace, containers }: RuntimePod): Pod {
  return {
    metadata: { uid, name, namespace },
    spec: { containers: containers.map((container) => ({ name: container.name, image: container.image })) },
  };
}
