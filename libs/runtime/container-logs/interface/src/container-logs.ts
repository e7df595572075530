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
   * Resolves when the instance is chosen and its log is open; the content comes as it is asked for and may be left at any
   * time (`return()`). Rejects with `invalid-argument`, `not-found` or `failed-precondition`, in upstream's words.
   */
  open(request: ContainerLogRequest): Promise<AsyncIterable<Uint8Array>>;
}

export const CONTAINER_LOGS = createToken<ContainerLogs>('kubelet.container-logs/v1');
