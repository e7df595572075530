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
  /** Ports of the legacy WebSocket form; empty for SPDY, where each stream names its port. */
  readonly ports: readonly number[];
}

export type StreamSession = ExecSession | AttachSession | PortForwardSession;

/** A client's request to upgrade its connection, as Node's `upgrade` event gives it. It has no answer yet. */
export interface UpgradeRequest {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly url: string;
  /** Names and values alternating, as received. */
  readonly rawHeaders: readonly string[];
  readonly socket: Duplex;
  /** Bytes of the new protocol that arrived with the last packet of the request. */
  readonly head: Uint8Array;
  /** The client's address, for `X-Forwarded-For`. */
  readonly remoteAddress: string;
}

export interface RunRequest extends PodTarget {
  readonly container: string;
  readonly command: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Serves exec, attach and port-forward: requests a session from the runtime and connects the client to the runtime's
 * streaming server.
 * Source: kubernetes v1.36 pkg/kubelet/server/server.go (getExec, getAttach, getPortForward), kuberuntime_container.go.
 */
export interface Streaming extends Lifecycle, HealthReporter {
  /**
   * Serves one session; resolves when the connection has ended, whichever side ended it. Rejects with a KubeletError
   * only before anything is written to the client: `not-found`, `resource-exhausted` (429), `unavailable`,
   * `invalid-argument`, else `internal`.
   */
  serve(session: StreamSession, request: UpgradeRequest, signal: AbortSignal): Promise<void>;
  /**
   * Requests a session from the runtime for a client that does not upgrade its connection, and leaves it. Rejects as
   * {@link serve} does when the runtime has no such session.
   */
  prepare(session: StreamSession, signal: AbortSignal): Promise<void>;
  /** Runs a command to its end; resolves with stdout, then stderr. Rejects with `internal` when the command fails. */
  run(request: RunRequest): Promise<Uint8Array>;
}

export const STREAMING = createToken<Streaming>('kubelet.streaming/v1');
