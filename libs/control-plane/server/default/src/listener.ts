import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { KubeletError, messageOf } from '@podwright/errors';
import { RequestHandler } from './request-handler.js';
import type { Route } from './route.js';

// Upstream's limits: pkg/kubelet/server/server.go.
const idleTimeoutMs = 90_000;
const requestTimeoutMs = 4 * 3600_000;
const maxHeaderBytes = 1 << 20;

export interface ListenerOptions {
  /** What people call it, and the configuration fields that set its address. */
  readonly name: string;
  readonly fields: string;
  readonly host: string;
  readonly port: number;
  readonly routes: readonly Route[];
  readonly onError: (error: unknown) => void;
}

/** One plain HTTP listener. */
export class Listener {
  private readonly server: Server;
  private readonly handler: RequestHandler;

  constructor(private readonly options: ListenerOptions) {
    this.handler = new RequestHandler(options);
    const limits = { maxHeaderSize: maxHeaderBytes, requestTimeout: requestTimeoutMs, keepAliveTimeout: idleTimeoutMs };
    this.server = createServer(limits, (request, response) => void this.serve(request, response));
  }

  /** Rejects with the configuration fields to look at when the port cannot be bound. */
  async listen(): Promise<void> {
    const { name, fields, host, port, onError } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', (error) => {
        const message = `cannot listen for ${name} on ${authority(host, port)}: ${messageOf(error)}; free the port or change ${fields}`;
        reject(new KubeletError(message, { code: 'unavailable', cause: error }));
      });
      this.server.listen(port, host, resolve);
    });
    this.server.removeAllListeners('error').on('error', onError);
  }

  address(): string {
    const { address, port } = this.server.address() as AddressInfo;
    return authority(address, port);
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const { status, headers, body } = await this.handler.answer(request, gone.signal);
    // What nobody has read of the body is dropped, so that the connection can be used again.
    request.resume();
    if (typeof body === 'string' || body instanceof Uint8Array) {
      response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
      return;
    }
    response.writeHead(status, headers);
    await pipeline(body, response).catch(this.options.onError);
  }
}

const authority = (host: string, port: number): string => (isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`);
