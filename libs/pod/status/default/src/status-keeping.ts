import { createToken } from '@podwright/assembly-interface';
import { isStaticPod, type Pod, type PodStatus } from '@podwright/kube-types';

/** Which statuses are written down for the next process. */
export interface StatusKeeping {
  keeps(pod: Pod, status: PodStatus): boolean;
}

export const STATUS_KEEPING = createToken<StatusKeeping>('kubelet.status.keeping/v1');

/** Nobody else has them. */
export const keepsAllStatuses: StatusKeeping = { keeps: () => true };

/**
 * What an API object cannot give back: a static pod, which is known before its mirror pod is; and how a pod has ended, since
 * an eviction that nobody heard of would be begun anew. The rest comes from the API object and the runtime, as in upstream.
 */
export const keepsWhatTheApiLacks: StatusKeeping = {
  keeps: (pod, { phase }) => isStaticPod(pod) || phase === 'Failed' || phase === 'Succeeded',
};
