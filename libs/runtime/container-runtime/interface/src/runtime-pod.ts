import type { PodSandboxStatus, ContainerStatus as CriContainerStatus } from '@podwright/cri-client-interface';

export type RuntimeContainerState = 'created' | 'running' | 'exited' | 'unknown';

/** One container in a list of the runtime. Ids are bare CRI ids, without a `containerd://` prefix. */
export interface RuntimeContainer {
  readonly id: string;
  /** Name in the pod spec, from the label io.kubernetes.container.name. */
  readonly name: string;
  readonly podSandboxId: string;
  readonly state: RuntimeContainerState;
  /** Unix nanoseconds. */
  readonly createdAt: bigint;
  /** Image as the runtime recorded it at creation. */
  readonly image: string;
  readonly imageRef: string;
  /** Image id, `imageRef` when the runtime gives none. */
  readonly imageId: string;
  /** Value of the annotation io.kubernetes.container.hash, lower-case hex; `0` when it is missing. */
  readonly hash: string;
}

export interface RuntimeSandbox {
  readonly id: string;
  readonly ready: boolean;
  readonly attempt: number;
  /** Unix nanoseconds. */
  readonly createdAt: bigint;
}

/** All containers and sandboxes of one pod UID in the runtime. Both lists are newest first. */
export interface RuntimePod {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  readonly containers: readonly RuntimeContainer[];
  readonly sandboxes: readonly RuntimeSandbox[];
}

/** One container record with what only its inspection reveals. */
export interface RuntimeContainerStatus extends RuntimeContainer {
  readonly restartCount: number;
  /** Unix nanoseconds; 0n unless the container was started / has exited. */
  readonly startedAt: bigint;
  readonly finishedAt: bigint;
  readonly exitCode: number;
  /** Reason of the runtime (Completed, Error, OOMKilled, ...), empty when it gives none. */
  readonly reason: string;
  /** The runtime's message, joined with the termination message of the container. */
  readonly message: string;
  readonly logPath: string;
  /** The answer of the runtime, for resources, user, mounts and stop signal. */
  readonly cri: CriContainerStatus;
}

/** The result of an inspection of a pod. */
export interface RuntimePodStatus {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
  /** Pod IPs of the newest sandbox while it is ready; empty for the host network. */
  readonly ips: readonly string[];
  /** All records of all sandboxes, newest first (created descending, then smaller id). */
  readonly containers: readonly RuntimeContainerStatus[];
  /** Newest first (attempt descending, created descending, then smaller id). */
  readonly sandboxes: readonly PodSandboxStatus[];
}
