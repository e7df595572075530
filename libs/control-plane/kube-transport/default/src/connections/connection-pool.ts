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
  /** `host:port` of the server. */
  readonly authority: string;
  /**
   * Opens a connection with one of the protocols. Rejects with errors for the caller: `unavailable`, in plain words.
   */
  readonly dial: (protocols: readonly string[], signal: AbortSignal) => Promise<Socket>;
  /** Describes an error that breaks an open connection, in plain words. */
  readonly describe: (error: unknown) => string;
  readonly http2: boolean;
  readonly readIdleTimeoutMs: number;
  readonly pingTimeoutMs: number;
  readonly idleConnectionTimeoutMs: number;
}

// Limits how often a request that the server did not process is sent on another connection.
const mostAttempts = 3;

/**
 * The connections to one server: few of HTTP/2; a second one when the first has all the streams that the server allows.
 */
export class ConnectionPool {
  private readonly connections = new Set<Connection>();
  /** Connections that take no new requests but still have open ones. */
  private readonly leaving = new Set<Connection>();
  private readonly stopping = new AbortController();
  private connecting: Promise<void> | undefined;
  /** Increases when connections are retired: a connection dialed for an older generation is discarded. */
  private generation = 0;

  constructor(
    private readonly clock: Clock,
    private readonly options: ConnectionPoolOptions,
  ) {}

  /** Opens a connection in advance, so that the first request finds it. */
  warm(): void {
    // The first request tries again and reports the error to its caller.
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
        // Reserves the connection before any await: other requests look for one in the same turn.
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

  /** Open requests continue; new ones get new connections. */
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

  /** Opens one connection at a time, shared by all who wait. */
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
