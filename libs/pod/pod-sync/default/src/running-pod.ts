import type { RuntimePod, RuntimePodStatus } from '@podwright/container-runtime-interface';
import { PodSandboxState } from '@podwright/cri-client-interface';

/** The kill request's view of an inspected pod. Stopped sandboxes stay in: their network may still be there. */
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
