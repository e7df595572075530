import { createToken, type Lifecycle } from '@podwright/assembly-interface';

export interface KubeHttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, beginning with `/`; the transport prepends the path of the server's URL. */
  readonly path: string;
  /** Names in lower case. The transport adds the credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface KubeHttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The caller must read it to the end or call `return()`, else the stream stays open. Ends with an error when the
   * connection breaks or the request's signal aborts.
   */
  readonly body: AsyncIterable<Uint8Array>;
}

/**
 * Sends requests to one API server: connections, TLS, credentials. Many concurrent requests share few connections
 * (HTTP/2 where the server offers it). The transport pings a connection after 30 s without a frame and replaces it when
 * no answer comes within 15 s, as upstream. It uses credential files that change on disk without a restart.
 */
export interface KubeTransport extends Lifecycle {
  /** URL of the server, for messages. */
  readonly server: string;
  /**
   * Resolves with the answer's status and headers, whatever the status. Rejects with `unavailable`, or on the signal.
   * Never retries.
   */
  send(request: KubeHttpRequest, signal: AbortSignal): Promise<KubeHttpResponse>;
  /**
   * `idle` closes connections without an open request; `all` closes every one, so open requests fail: `unavailable`.
   */
  closeConnections(which: 'idle' | 'all'): void;
  /** Reads certificates and tokens again now. Closes all connections when the client certificate has changed. */
  reloadCredentials(): Promise<void>;
}

export const KUBE_TRANSPORT = createToken<KubeTransport>('kubelet.kube-transport/v1');

/** Creates transports with other kubeconfigs than the kubelet's own, for bootstrap. */
export interface KubeTransportFactory {
  /** The caller starts and stops the transport; `start()` reads the file. */
  fromKubeconfig(file: string): KubeTransport;
}

export const KUBE_TRANSPORT_FACTORY = createToken<KubeTransportFactory>('kubelet.kube-transport-factory/v1');
