import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { abortable } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import type { KubeHttpResponse } from '@podwright/kube-client-interface';
import type { Clock } from '@podwright/time';
import type { Connection, WireRequest } from './connection.js';
import { UnprocessedRequestError } from './connection.js';
import { Http1Connections } from './http1-connections.js';
import { Http2Connection } from './http2-connection.js';

export interface ConnectionPoolOptions {
  /** `host:port` for the server. */
  readonly authority: string;
  /** Makes a connection that speaks one of the protocols. Its errors are the caller's: `unavailable`, in plain words. */
  readonly dial: (protocols: readonly string[], signal: AbortSignal) => Promise<Socket>;
  /** In plain words, for what breaks a connection later. */
  readonly describe: (error: unknown) => string;
  readonly http2: boolean;
  readonly readIdleTimeoutMs: number;
  readonly pingTimeoutMs: number;
  readonly idleConnectionTimeoutMs: number;
}

// A request that the server did not take is sent again on another connection, but not for ever.
const mostAttempts = 3;

/** The connections to one server: few of HTTP/2, a second one when the first holds all the streams that the server allows. */
export class ConnectionPool {
  private readonly connections = new Set<Connection>();
  /** Away from new requests, but with open ones. */
  private readonly leaving = new Set<Connection>();
  private readonly stopping = new AbortController();
  private connecting: Promise<void> | undefined;
  /** Connections that are made for an older generation are not kept. */
  private generation = 0;

  constructor(
    private readonly clock: Clock,
    private readonly options: ConnectionPoolOptions,
  ) {}

  /** Begins a connection, so that the first request finds it. */
  warm(): void {
    // The first request tries again and tells its caller what is wrong.
    this.connect().catch(() => undefined);
  }

  async send(request: WireRequest, signal: AbortSignal): Promise<KubeHttpResponse> {
    for (let attempt = 1; ;) {
      signal.throwIfAborted();
      this.stopping.signal.throwIfAborted();
      const connection = this.free();
      if (connection === undefined) {
        await abortable(this.connect(), signal);
        continue;
      }
      try {
        // Takes its place before anything is awaited: others look for one in the same turn.
        return await connection.send(request, signal);
      } catch (error) {
        if (!(error instanceof UnprocessedRequestError)) throw error;
        if (attempt === mostAttempts) {
          throw new KubeletError(error.message, { code: 'unavailable', cause: error.cause });
        }
        attempt += 1;
      }
    }
  }

  /** Open requests go on; new ones get new connections. */
  retire(): void {
    this.generation += 1;
    for (const connection of [...this.connections]) this.leave(connection);
  }

  closeIdle(): void {
    for (const connection of [...this.connections]) {
      if (connection.openRequests === 0) this.leave(connection);
      else if (connection instanceof Http1Connections) connection.closeIdle();
    }
  }

  closeAll(error: Error): void {
    this.generation += 1;
    for (const connection of [...this.connections, ...this.leaving]) connection.destroy(error);
    this.connections.clear();
    this.leaving.clear();
  }

  stop(): void {
    const reason = new KubeletError('the client was stopped', { code: 'unavailable' });
    this.stopping.abort(reason);
    this.closeAll(reason);
  }

  private free(): Connection | undefined {
    for (const connection of this.connections) if (connection.usable) return connection;
    return undefined;
  }

  /** One at a time: all who wait share it. */
  private connect(): Promise<void> {
    this.connecting ??= this.open().finally(() => (this.connecting = undefined));
    return this.connecting;
  }

  private async open(): Promise<void> {
    const { http2, dial } = this.options;
    const { generation } = this;
    const socket = await dial(http2 ? ['h2', 'http/1.1'] : ['http/1.1'], this.stopping.signal);
    if (generation !== this.generation || this.stopping.signal.aborted) {
      socket.destroy();
      return;
    }
    const spoken = (socket as Partial<TLSSocket>).alpnProtocol;
    this.connections.add(spoken === 'h2' ? this.http2(socket) : this.http1(socket));
  }

  private http2(socket: Socket): Connection {
    const connection: Connection = new Http2Connection(socket, this.clock, {
      ...this.options,
      onGone: () => {
        this.connections.delete(connection);
        if (connection.openRequests > 0) this.leaving.add(connection);
      },
      onClosed: () => this.leaving.delete(connection),
    });
    return connection;
  }

  private http1(socket: Socket): Connection {
    const { authority, dial, describe } = this.options;
    return new Http1Connections(socket, {
      authority,
      describe,
      dial: () => dial(['http/1.1'], this.stopping.signal),
    });
  }

  private leave(connection: Connection): void {
    this.connections.delete(connection);
    for (const gone of this.leaving) if (gone.openRequests === 0) this.leaving.delete(gone);
    if (connection.openRequests > 0) this.leaving.add(connection);
    connection.retire();
  }
}
