import { createToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

/**
 * The pods that the API server has bound to this node, exactly as the watch brought them, mirror pods included; fresher than
 * what the sync loop has dealt with. For who writes to these objects and needs their resource version. Absent in an
 * assembly without API client.
 */
export interface ApiPodStore {
  /** Immutable; another object after each change. undefined: the API server has none, as far as is known. */
  get(namespace: string, name: string): Pod | undefined;
  /** False before the first list: then an absent pod means nothing. */
  hasSynced(): boolean;
  /** Calls with each pod that is new or changed, once the store has it. Must only hand over. Returns unsubscribe. */
  watch(listener: (pod: Pod) => void): () => void;
}

export const API_POD_STORE = createToken<ApiPodStore>('kubelet.api-pod-store/v1');
