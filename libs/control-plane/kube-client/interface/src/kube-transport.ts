import { createToken, type Lifecycle } from '@podwright/assembly-interface';

export interface KubeHttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, beginning with `/`; the path of the server's URL is put before it by the transport. */
  readonly path: string;
  /** Names in lower case. Credentials are the transport's own. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface KubeHttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Must be read to its end or left (`return()`), else the stream stays open. Ends with an error when the connection breaks
   * or the request's signal aborts.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * The way to one API server: connections, TLS, credentials. Many requests at a time go over few connections (HTTP/2 where
 * the server offers it). A connection that does not answer is noticed (ping after 30 s without a frame, given up after
 * 15 s more, as upstream) and replaced. Credentials that change on the disk are taken up while it runs.
 */
export interface KubeTransport extends Lifecycle {
  /** URL of the server, for messages. */
  readonly server: string;
  /** Resolves with the head of the answer, whatever its status. Rejects with `unavailable`, or on the signal. No retries. */
  send(request: KubeHttpRequest, signal: AbortSignal): Promise<KubeHttpResponse>;
  /** `idle`: those without an open request. `all`: open requests fail with `unavailable`. */
  closeConnections(which: 'idle' | 'all'): void;
  /** Reads certificates and tokens again now; closes all connections when the client certificate is another one. */
  reloadCredentials(): Promise<void>;
}

export const KUBE_TRANSPORT = createToken<KubeTransport>('kubelet.kube-transport/v1');
