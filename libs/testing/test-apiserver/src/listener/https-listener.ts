import http2, { type Http2SecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { hasCode } from '@podwright/errors';
import type { ApiUser, ApiRequest, ApiResponse } from '../http/api-request.js';
import { errorResponse } from '../http/json-response.js';
import type { KeyPair } from '../identity/cluster-authority.js';
import { tunnelUpgrade, writeResponse } from '../kubelet-proxy/tunnel-upgrade.js';
import type { KubeletCredentials } from '../kubelet-proxy/kubelet-proxy.js';
import type { KubeletLocation } from '../kubelet-proxy/kubelet-location.js';

type Incoming = IncomingMessage | Http2ServerRequest;
type Outgoing = ServerResponse | Http2ServerResponse;

/** The server behind the listener. */
export interface ListenerBackend {
  /** Authenticates the sender. @throws ApiError 401. */
  userOf(socket: TLSSocket, authorization: string | undefined): ApiUser;
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** Authorizes an upgrade; returns the kubelet's address. @throws ApiError. */
  upgrade(request: ApiRequest): Promise<KubeletLocation>;
  readonly kubeletCredentials: KubeletCredentials;
}

export interface HttpsListenerOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
}

// Per connection, as upstream's server allows. A client with thousands of watches then has several connections: Node ends
// one at once on which a thousand requests are cancelled within a second.
// Source: kubernetes v1.36 apiserver/pkg/server/secure_serving.go.
const maxConcurrentStreams = 100;

/** Serves the API over HTTPS, with HTTP/2 or HTTP/1.1. Client certificates are optional. */
export class HttpsListener {
  private readonly server: Http2SecureServer;
  private readonly sockets = new Set<Duplex>();

  constructor(
    private readonly backend: ListenerBackend,
    serving: KeyPair,
    authority: string,
  ) {
    this.server = http2.createSecureServer({
      key: serving.privateKey,
      cert: serving.certificate,
      ca: authority,
      requestCert: true,
      rejectUnauthorized: false,
      allowHTTP1: true,
      settings: { maxConcurrentStreams },
    });
    this.server.on('request', (request: Incoming, response: Outgoing) => void this.answer(request, response));
    this.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      void this.upgrade(request, socket, head);
    });
    this.server.on('secureConnection', (socket: TLSSocket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    // A client may close the connection in the middle of a handshake or a request.
    this.server.on('sessionError', () => undefined);
    this.server.on('tlsClientError', () => undefined);
  }

  /** Starts listening; resolves to the port. */
  start({ host = '127.0.0.1', port = 0 }: HttpsListenerOptions = {}): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        resolve((this.server.address() as AddressInfo).port);
      });
    });
  }

  /** Stops listening and ends all connections, including watches and tunnels. May be called twice. */
  stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    return closed;
  }

  private async answer(incoming: Incoming, outgoing: Outgoing): Promise<void> {
    const leaving = new AbortController();
    (outgoing as ServerResponse).once('close', () => leaving.abort(new Error('the client has gone')));
    try {
      const response = await this.response(incoming, leaving.signal);
      writeHead(outgoing, response);
      if (response.body instanceof Uint8Array) {
        (outgoing as ServerResponse).end(incoming.method === 'HEAD' ? '' : response.body);
        return;
      }
      for await (const chunk of response.body) {
        if (leaving.signal.aborted) break;
        if (!write(outgoing, chunk)) await drained(outgoing, leaving.signal);
      }
      outgoing.end();
    } catch {
      // The answer has begun already, so it can only be aborted; not needed when the client has gone.
      if (!leaving.signal.aborted) abort(outgoing);
    }
  }

  private async response(incoming: Incoming, signal: AbortSignal): Promise<ApiResponse> {
    try {
      return await this.backend.handle(this.apiRequest(incoming, await bodyOf(incoming), signal));
    } catch (error) {
      // `unavailable` is a fault that breaks the connection.
      if (signal.aborted || hasCode(error, 'unavailable')) throw error;
      return errorResponse(error);
    }
  }

  private async upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const leaving = new AbortController();
    socket.once('close', () => leaving.abort(new Error('the client has gone')));
    try {
      const location = await this.backend.upgrade(this.apiRequest(incoming, new Uint8Array(), leaving.signal));
      await tunnelUpgrade(incoming, socket, head, location, this.backend.kubeletCredentials);
    } catch (error) {
      writeResponse(socket, errorResponse(error));
    }
  }

  private apiRequest(incoming: Incoming, body: Uint8Array, signal: AbortSignal): ApiRequest {
    const url = new URL(incoming.url ?? '/', 'https://apiserver.invalid');
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).flatMap(([name, value]) =>
        value === undefined || name.startsWith(':') ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
      ),
    );
    const user = this.backend.userOf(incoming.socket as TLSSocket, headers['authorization']);
    const { method = 'GET' } = incoming;
    return { method, path: url.pathname, query: url.searchParams, headers, body, user, signal };
  }
}

async function bodyOf(incoming: Incoming): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

// HTTP/1.1 and HTTP/2 responses have different types, but the methods used here are the same.
function writeHead(outgoing: Outgoing, { status, headers }: ApiResponse): void {
  outgoing.statusCode = status;
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
  if ('flushHeaders' in outgoing) outgoing.flushHeaders();
}

function write(outgoing: Outgoing, chunk: Uint8Array): boolean {
  return (outgoing as ServerResponse).write(chunk);
}

function drained(outgoing: Outgoing, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      (outgoing as ServerResponse).off('drain', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    (outgoing as ServerResponse).once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });
}

function abort(outgoing: Outgoing): void {
  if ('stream' in outgoing) outgoing.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR);
  else outgoing.destroy();
}
