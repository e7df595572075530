import type { RuntimePod, RuntimePodStatus } from '@podwright/container-runtime-interface';
import { PodSandboxState } from '@podwright/cri-client-interface';

/** Converts an inspected pod for a kill request. Includes stopped sandboxes, whose network may still exist. */
export function runtimePodOf({ uid, name, namespace, containers, sandboxes }: RuntimePodStatus): RuntimePod {
  return {
    uid,
    name,
    namespace,
    containers,
    sandboxes: sandboxes.map(({ id, state, createdAt, metadata }) => ({
      id,
      ready: state === PodSandboxState.SANDBOX_READY,
      attempt: metadata?.attempt ?? 0,
      createdAt,
    })),
  };
}
