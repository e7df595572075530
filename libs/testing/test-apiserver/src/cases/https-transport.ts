import https from 'node:https';
import { KubeletError } from '@podwright/errors';
import type { KubeHttpRequest, KubeHttpResponse, KubeTransport } from '@podwright/kube-client-interface';
import { abortReason } from '@podwright/time';
import type { KeyPair } from '../identity/cluster-authority.js';

/** A minimal transport to a real server: HTTP/1.1, one connection per request, a client certificate. */
export class HttpsTransport implements KubeTransport {
  private readonly agent: https.Agent;

  constructor(
    readonly server: string,
    ca: string,
    user: KeyPair | undefined,
  ) {
    this.agent = new https.Agent({ ca, ...(user && { cert: user.certificate, key: user.privateKey }) });
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    this.closeConnections();
    return Promise.resolve();
  }

  send(request: KubeHttpRequest, signal: AbortSignal): Promise<KubeHttpResponse> {
    const { method, path, body } = request;
    // Node sends no Content-Length with a DELETE, and the server ignores a body without one.
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const headers = { ...request.headers, ...length };
    return new Promise((resolve, reject) => {
      const outgoing = https.request(
        `${this.server}${path}`,
        { method, headers, agent: this.agent, signal },
        (incoming) => {
          const flat = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)] as const);
          resolve({
            status: incoming.statusCode ?? 0,
            headers: Object.fromEntries(flat),
            body: incoming as AsyncIterable<Uint8Array>,
          });
        },
      );
      outgoing.once('error', (cause) =>
        reject(signal.aborted ? abortReason(signal) : new KubeletError(cause.message, { code: 'unavailable', cause })),
      );
      outgoing.end(body);
    });
  }

  closeConnections(): void {
    this.agent.destroy();
  }

  reloadCredentials(): Promise<void> {
    return Promise.resolve();
  }
}
