import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Answer } from './answer.js';

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
  readonly handle: (method: string, url: URL) => Promise<Answer>;
  readonly onError: (error: unknown) => void;
}

/** One plain HTTP listener. */
export class Listener {
  private readonly server: Server;

  constructor(private readonly options: ListenerOptions) {
    this.server = createServer({ maxHeaderSize: maxHeaderBytes, requestTimeout: requestTimeoutMs, keepAliveTimeout: idleTimeoutMs }, (request, response) =>
      void this.answer(request, response),
    );
  }

  /** Rejects with the configuration field to look at when the port cannot be bound. */
  async listen(): Promise<void> {
    const { name, fields, host, port } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', (error) =>
        reject(new KubeletError(`cannot listen for ${name} on ${host}:${port}: ${messageOf(error)}; free the port or change ${fields}`, { code: 'unavailable', cause: error })),
      );
      this.server.listen(port, host, resolve);
    });
  }

  address(): string {
    const { address, port } = this.server.address() as AddressInfo;
    return `${address}:${port}`;
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // Bodies are not read by any route here; draining keeps the connection usable.
    request.resume();
    try {
      const { status, headers, body } = await this.options.handle(request.method ?? 'GET', new URL(request.url ?? '/', 'http://kubelet'));
      response.writeHead(status, headers).end(body);
    } catch (error) {
      this.options.onError(error);
      if (!response.headersSent) response.writeHead(error instanceof TypeError ? 400 : 500, { 'Content-Type': 'text/plain' });
      response.end(error instanceof TypeError ? 'Bad Request' : 'Internal Server Error');
    }
  }
}
