import type { RuntimeContainerStatus } from '@podwright/container-runtime-interface';
import type { Container } from '@podwright/kube-types';
import type { PodResize } from '../resize/resize-plan.js';

/** Why a container is killed; probes may carry a grace period of their own. */
export const killReasons = ['startup-probe', 'liveness-probe', 'other'] as const;
/** See {@link killReasons}. */
export type KillReason = (typeof killReasons)[number];

export interface ContainerKill {
  readonly container: Container;
  readonly containerId: string;
  /** Text of the event Killing. */
  readonly message: string;
  readonly reason: KillReason;
}

/** One record that RestartAllContainers clears away. */
export interface ContainerReset {
  readonly container: Container;
  readonly record: RuntimeContainerStatus;
}

/** What one sync has to do. Indexes point into the lists of the pod spec, ascending. */
export interface PodActions {
  /** Kill all containers and stop all sandboxes first. */
  readonly killPod: boolean;
  readonly createSandbox: boolean;
  /** Sandbox to work in, or the one that is replaced. */
  readonly sandboxId: string | undefined;
  /** Attempt of the sandbox to work in after the sync. */
  readonly attempt: number;
  readonly initContainersToStart: readonly number[];
  readonly containersToStart: readonly number[];
  readonly ephemeralContainersToStart: readonly number[];
  readonly containersToKill: readonly ContainerKill[];
  /** Records that RestartAllContainers removes, in this order; not exited ones are killed before. */
  readonly containersToReset: readonly ContainerReset[];
  /** What running containers and the pod's cgroup are to get in place; undefined: nothing. */
  readonly resize: PodResize | undefined;
}
