import type { Pod, PodStatus } from '@podwright/kube-types';

/** What the managers know about a pod at one moment. */
export interface PodState {
  /** Absent when the kubelet has no such pod any more. */
  readonly pod?: Pod;
  readonly status?: PodStatus;
  /** The status that the API server shows, as far as its watch has come; of a static pod that of its mirror pod. */
  readonly shownStatus?: PodStatus;
  /** `none`: no worker, or it has not begun. `stopped`: all containers have ended. */
  readonly work: 'none' | 'sync' | 'ending' | 'stopped' | 'finished';
  /** Names of the volumes in the spec that are mounted. */
  readonly mounted: readonly string[];
  readonly sandboxReady: boolean;
  readonly podIps: readonly string[];
  readonly runtimeErrors: readonly string[];
  readonly networkErrors: readonly string[];
  /** Whether statuses of pods go to an API server. */
  readonly hasApiServer: boolean;
  /** Whether people put pods on this node with the command `podwright`. */
  readonly hasLocalApi: boolean;
}

export const nowhere: PodState = {
  ...{ work: 'none', mounted: [], sandboxReady: false, podIps: [] },
  ...{ runtimeErrors: [], networkErrors: [], hasApiServer: true, hasLocalApi: false },
};

export function isConditionTrue(status: PodStatus | undefined, type: string): boolean {
  return (status?.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');
}
