import { createToken } from '@podwright/assembly-interface';
import type { Pod, PodStatus } from '@podwright/kube-types';

/** The fields of v1 PodLogOptions that concern the node. */
export interface ContainerLogOptions {
  readonly follow?: boolean;
  /** True: reads the log of the last terminated instance. */
  readonly previous?: boolean;
  /** At least 1; not together with `sinceTime`. */
  readonly sinceSeconds?: number;
  /** RFC 3339. */
  readonly sinceTime?: string;
  /** Each logical line begins with its time. */
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  /** Highest number of bytes to return, timestamps included. */
  readonly limitBytes?: number;
  readonly stream?: 'All' | 'Stdout' | 'Stderr';
}

export interface ContainerLogRequest {
  readonly pod: Pod;
  /** The latest status: from the status manager, else from the API server. */
  readonly status: PodStatus;
  /** Name of a regular, init or ephemeral container. */
  readonly container: string;
  readonly options: ContainerLogOptions;
  /** Aborts when the reader has left; also ends a followed log. */
  readonly signal: AbortSignal;
}

/**
 * Reads container logs from the runtime's log files. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go
 * (validateContainerLogStatus), staging/src/k8s.io/cri-client/pkg/logs/logs.go.
 */
export interface ContainerLogs {
  /**
   * Chooses the container instance and opens its log; resolves when the file begins as a log does. The content is read
   * on demand, each byte once, even when the log is rotated meanwhile. The caller may stop at any time (`return()`,
   * even while `next()` waits); the content ends without an error when the signal aborts. Rejects with upstream's
   * messages: `invalid-argument` for options that exclude each other or are out of range; `not-found` and
   * `failed-precondition` when there is no log, or none that may be read (upstream answers both with 400). Iterating
   * throws when the log becomes unreadable later, and when a log to be followed is unreadable from the start: a client
   * that follows takes a refusal for a container that has not started, and asks again for ever.
   */
  open(request: ContainerLogRequest): Promise<AsyncIterable<Uint8Array>>;
}

export const CONTAINER_LOGS = createToken<ContainerLogs>('kubelet.container-logs/v1');
