import { createToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/**
 * The API server's pods of this node, mirror pods included, unchanged and as the watch delivers them: newer than what
 * the sync loop has handled. For managers that write to these objects and need their resource version. Absent in an
 * assembly without an API client.
 */
export interface ApiPodStore {
  /** Immutable; each change gives a new object. Undefined when the store has no such pod. */
  get(namespace: string, name: string): Pod | undefined;
  /** False before the first list: until then an absent pod may still exist on the server. */
  hasSynced(): boolean;
  /**
   * Calls `listener` with each new or changed pod, once the store has it. The listener must not do the work itself,
   * only enqueue it. Returns unsubscribe.
   */
  watch(listener: (pod: Pod) => void): () => void;
}

export const API_POD_STORE = createToken<ApiPodStore>('kubelet.api-pod-store/v1');
