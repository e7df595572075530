import { isStaticPod, isTerminalPhase, type Pod, type PodStatus } from '@podwright/kube-types';

/** Decides which statuses are checkpointed for the next process. */
export interface StatusKeeping {
  keeps(pod: Pod, status: PodStatus): boolean;
}

/** Without an API server nothing else has them. */
export const keepsAllStatuses: StatusKeeping = { keeps: () => true };

/**
 * Keeps what an API object cannot restore: statuses of static pods, which are known before their mirror pods; and how a
 * pod has ended, because an unreported eviction would start again. As upstream, the rest comes from the API object and
 * the runtime.
 */
export const keepsWhatTheApiLacks: StatusKeeping = {
  keeps: (pod, { phase }) => isStaticPod(pod) || isTerminalPhase(phase),
};
