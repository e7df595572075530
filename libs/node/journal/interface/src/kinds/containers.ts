import type { JournalPod } from './journal-pod.js';

/** A container was started; reported after its start, before its postStart hook has ended. */
export interface ContainerStarted {
  readonly kind: 'container.started';
  readonly pod: JournalPod;
  readonly container: string;
  readonly containerId: string;
  readonly type: 'init' | 'sidecar' | 'regular' | 'ephemeral';
  /** Restarts of this container before this start. */
  readonly restartCount: number;
  /** Wait for the image, with the pull if there was one. */
  readonly imageMs: number;
  /** From the image until the runtime had started it. */
  readonly durationMs: number;
}

/** A container was not started. The next sync tries again, after the back-off if there is one. */
export interface ContainerFailed {
  readonly kind: 'container.failed';
  readonly pod: JournalPod;
  readonly container: string;
  /** The reason of the waiting state: `ErrImagePull`, `CreateContainerConfigError`, `RunContainerError`, ... */
  readonly reason: string;
  /** In upstream's words. */
  readonly error: string;
}

/** A container has exited. Reported when a kubelet process first sees it, so after a restart of the kubelet once more. */
export interface ContainerExited {
  readonly kind: 'container.exited';
  readonly pod: JournalPod;
  readonly container: string;
  readonly containerId: string;
  readonly exitCode: number;
  /** The runtime's word: `Completed`, `Error`, `OOMKilled`, ... */
  readonly reason: string;
  /** Its last words: the runtime's message and the termination message. */
  readonly message?: string;
  /** Wall clock, Unix milliseconds; absent when the container never ran. */
  readonly startedAtMs?: number;
  /** Wall clock, Unix milliseconds, as the runtime reports it; absent when it does not know. */
  readonly finishedAtMs?: number;
  readonly restartCount: number;
}

/** What a sync decided about a container that has exited and shall run again. */
export interface ContainerRestart {
  readonly kind: 'container.restart';
  readonly pod: JournalPod;
  readonly container: string;
  /** `waits`: its back-off is not over, reported once for each exit; `now`: it starts. */
  readonly action: 'waits' | 'now';
  /** The last exit. */
  readonly exitCode: number;
  /** Length of the back-off; 0 without one. */
  readonly backOffMs: number;
  /** Wall clock, Unix milliseconds; with `waits`. */
  readonly backOffUntilMs?: number;
}

/** A running container is to be stopped. */
export interface ContainerKill {
  readonly kind: 'container.kill';
  readonly pod: JournalPod;
  readonly container: string;
  readonly containerId: string;
  /** `pod`: the whole pod ends or its sandbox is replaced. `other`: `message` says it. */
  readonly cause: 'startup-probe' | 'liveness-probe' | 'pod' | 'other';
  readonly gracePeriodSeconds: number;
  /** True: it began before, perhaps in an earlier kubelet process, and this is the rest of its grace period. */
  readonly resumed: boolean;
  /** Message of the event Killing. */
  readonly message: string;
}

/** A kill has ended. */
export interface ContainerKilled {
  readonly kind: 'container.killed';
  readonly pod: JournalPod;
  readonly container: string;
  readonly containerId: string;
  /** With the preStop hook and the grace period. */
  readonly durationMs: number;
  /** Why it still runs, in upstream's words; absent after a success. */
  readonly error?: string;
}

/**
 * A hook of a container has failed. A failed postStart hook kills the container, a failed preStop hook nothing. Without
 * the error's text, which may contain output of the container and so secrets; the kubelet's log has it.
 */
export interface HookFailed {
  readonly kind: 'hook.failed';
  readonly pod: JournalPod;
  readonly container: string;
  readonly containerId: string;
  readonly hook: 'postStart' | 'preStop';
  readonly durationMs: number;
}

/** A container that had exited was removed with its record, so its logs and exit code are gone. */
export interface ContainerRemoved {
  readonly kind: 'container.removed';
  readonly containerId: string;
  /** Absent when the runtime did not say. */
  readonly pod?: JournalPod;
  readonly container?: string;
  /**
   * `superseded`: newer dead ones of the same container are kept. `pod-gone`: its pod is no longer on the node.
   * `eviction`: the pod was evicted, or the node is short of disk.
   */
  readonly cause: 'superseded' | 'pod-gone' | 'eviction';
  readonly error?: string;
}

export type ContainerDecision =
  | ContainerStarted
  | ContainerFailed
  | ContainerExited
  | ContainerRestart
  | ContainerKill
  | ContainerKilled
  | HookFailed
  | ContainerRemoved;
