import { createToken } from '@podwright/assembly-interface';
import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { PodLifecycleEvent } from '@podwright/pleg-interface';

/**
 * Looks at the runtime, tells what has changed since the last look and writes the pod cache: the only writer of it, whoever
 * decides when to look (a period, a request for one pod, an event of the runtime). Calls are serialised inside.
 * Source: kubernetes v1.36 pkg/kubelet/pleg/generic.go Relist.
 */
export interface PodRelist {
  /** All pods. Rejects when the runtime cannot list; pods whose inspection fails are told again next time. */
  relist(signal?: AbortSignal): Promise<readonly PodLifecycleEvent[]>;
  /** One pod; with `inspect` even when the list shows nothing new. */
  relistPod(
    podUid: string,
    options?: { readonly inspect?: boolean; readonly signal?: AbortSignal },
  ): Promise<readonly PodLifecycleEvent[]>;
  /**
   * Takes a status that the runtime told by itself. `observedAtMs` is the clock's monotonic time that belongs to it; older
   * ones than what is known change nothing and give no events.
   */
  apply(podUid: string, status: RuntimePodStatus, observedAtMs: number): Promise<readonly PodLifecycleEvent[]>;
}

export const POD_RELIST = createToken<PodRelist>('kubelet.pod-relist/v1');
