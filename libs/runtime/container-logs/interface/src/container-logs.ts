import { createToken } from '@podwright/assembly-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';

/** v1 PodLogOptions as far as the node sees them. */
export interface ContainerLogOptions {
  readonly follow?: boolean;
  /** The last terminated instance. */
  readonly previous?: boolean;
  /** At least 1; not together with `sinceTime`. */
  readonly sinceSeconds?: number;
  /** RFC 3339. */
  readonly sinceTime?: string;
  /** Each logical line begins with its time. */
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  /** Bytes of the answer, time stamps included. */
  readonly limitBytes?: number;
  readonly stream?: 'All' | 'Stdout' | 'Stderr';
}

export interface ContainerLogRequest {
  readonly pod: Pod;
  /** The newest status that is known, the status manager's before the API server's. */
  readonly status: PodStatus;
  /** Of an ordinary, init or ephemeral container. */
  readonly container: string;
  readonly options: ContainerLogOptions;
  /** The reader has gone; ends a followed log as well. */
  readonly signal: AbortSignal;
}

/**
 * Reads what containers wrote, from the files of the runtime. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go
 * (validateContainerLogStatus), staging/src/k8s.io/cri-client/pkg/logs/logs.go.
 */
export interface ContainerLogs {
  /**
   * Resolves when the instance is chosen, its log is open and begins as a log does. The content comes as it is asked for, each
   * byte once, however the log is rotated meanwhile; it may be left at any time (`return()`, even while `next()` waits) and ends
   * without an error when the signal aborts. Rejects in upstream's words: `invalid-argument` for options that exclude each other
   * or are out of range; `not-found` and `failed-precondition` when there is no log or none that may be read (upstream answers
   * both with 400). Iterating rejects when the log turns out to be unreadable later.
   */
  open(request: ContainerLogRequest): Promise<AsyncIterable<Uint8Array>>;
}

export const CONTAINER_LOGS = createToken<ContainerLogs>('kubelet.container-logs/v1');
