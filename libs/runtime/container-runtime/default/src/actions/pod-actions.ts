import type { PodResize, RuntimeContainerStatus } from '@podwright/container-runtime-interface';
import type { Container } from '@podwright/kube-types';

/** Why a container is killed. A probe may have a grace period of its own. */
export const killReasons = ['startup-probe', 'liveness-probe', 'other'] as const;
/** One of `killReasons`. */
export type KillReason = (typeof killReasons)[number];

export interface ContainerKill {
  readonly container: Container;
  readonly containerId: string;
  /** Message of the Killing event. */
  readonly message: string;
  readonly reason: KillReason;
}

/** A record that RestartAllContainers removes. */
export interface ContainerReset {
  readonly container: Container;
  readonly record: RuntimeContainerStatus;
}

/** The actions of one sync. Indexes refer to the lists in the pod spec, in ascending order. */
export interface PodActions {
  /** Kill all containers and stop all sandboxes first. */
  readonly killPod: boolean;
  readonly createSandbox: boolean;
  /** Id of the sandbox to use, or of the one that is replaced. */
  readonly sandboxId: string | undefined;
  /** Attempt number of the pod's sandbox after the sync. */
  readonly attempt: number;
  readonly initContainersToStart: readonly number[];
  readonly containersToStart: readonly number[];
  readonly ephemeralContainersToStart: readonly number[];
  readonly containersToKill: readonly ContainerKill[];
  /** Records that RestartAllContainers removes, in this order; containers that have not exited are killed first. */
  readonly containersToReset: readonly ContainerReset[];
  /** In-place resize of running containers and the pod's cgroup; undefined when there is none. */
  readonly resize: PodResize | undefined;
}
