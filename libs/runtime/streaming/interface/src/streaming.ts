import type { Duplex } from 'node:stream';
import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

interface PodTarget {
  readonly podUid: string;
  readonly podName: string;
  readonly podNamespace: string;
}

interface StandardStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  /** Never together with `tty`. */
  readonly stderr: boolean;
  readonly tty: boolean;
}

export interface ExecSession extends PodTarget, StandardStreams {
  readonly kind: 'exec';
  readonly container: string;
  readonly command: readonly string[];
}

export interface AttachSession extends PodTarget, StandardStreams {
  readonly kind: 'attach';
  readonly container: string;
}

export interface PortForwardSession extends PodTarget {
  readonly kind: 'portforward';
  /** Of the legacy WebSocket form; empty for SPDY, where each stream names its port. */
  readonly ports: readonly number[];
}

export type StreamSession = ExecSession | AttachSession | PortForwardSession;

/** A client's request to change the protocol of its connection, as Node's `upgrade` event gives it. Nothing was answered yet. */
export interface UpgradeRequest {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly url: string;
  /** Names and values in turn, as received. */
  readonly rawHeaders: readonly string[];
  readonly socket: Duplex;
  /** Bytes that came with the request's last packet and belong to the new protocol. */
  readonly head: Uint8Array;
  /** For `X-Forwarded-For`. */
  readonly remoteAddress: string;
}

export interface RunRequest extends PodTarget {
  readonly container: string;
  readonly command: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * exec, attach and port-forward: asks the runtime for a session and joins the client's connection to the runtime's streaming
 * server. Source: kubernetes v1.36 pkg/kubelet/server/server.go (getExec, getAttach, getPortForward), kuberuntime_container.go.
 */
export interface Streaming extends Lifecycle, HealthReporter {
  /**
   * Serves one session; resolves when the connection is over, whoever ended it. Rejects with a KubeletError as long as
   * nothing was written to the client: `not-found`, `resource-exhausted` (429), `unavailable`, `invalid-argument`, else `internal`.
   */
  serve(session: StreamSession, request: UpgradeRequest, signal: AbortSignal): Promise<void>;
  /** Runs a command to its end and gives stdout followed by stderr. A command that fails rejects with `internal`. */
  run(request: RunRequest): Promise<Uint8Array>;
}

export const STREAMING = createToken<Streaming>('kubelet.streaming/v1');
