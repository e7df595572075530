import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  IncomingHttpHeaders,
  IncomingHttpStatusHeader,
  OutgoingHttpHeaders,
} from 'node:http2';
import { connect, constants } from 'node:http2';
import type { Socket } from 'node:net';
import { KubeletError } from '@podwright/errors';
import type { KubeHttpResponse } from '@podwright/kube-client-interface';
import type { Clock } from '@podwright/time';
import { abortReason, onAbort } from '@podwright/time';
import type { Connection, WireRequest } from './connection.js';
import { UnprocessedRequestError } from './connection.js';
import { ungreetedCode } from './connection-fault.js';
import { ConnectionHealth } from './connection-health.js';
import { plainHeaders } from './plain-headers.js';
import { streamBody } from './stream-body.js';

export interface Http2ConnectionOptions {
  /** `host:port` of the server. */
  readonly authority: string;
  readonly readIdleTimeoutMs: number;
  readonly pingTimeoutMs: number;
  readonly idleConnectionTimeoutMs: number;
  /** Describes an error in plain words. */
  readonly describe: (error: unknown) => string;
  /** Called once, when the connection accepts no more requests. */
  readonly onGone: () => void;
  /** Called once, when the connection is closed. */
  readonly onClosed: () => void;
}

/** Until the server announces its limit: the minimum that RFC 9113 recommends. */
const assumedStreams = 100;
// Lets lists of some MiB arrive at full speed despite latency; a window reserves no memory.
const streamWindowBytes = 1024 * 1024;
const connectionWindowBytes = 8 * 1024 * 1024;
// Node counts the data of all streams; its default of 10 would refuse requests while large lists arrive.
const sessionMemoryMiB = 64;

/** An HTTP/2 session over a connected socket. Closes itself when it is broken or silent. */
export class Http2Connection implements Connection {
  private readonly session: ClientHttp2Session;
  private readonly health: ConnectionHealth;
  private streams = 0;
  private going = false;
  private greeted = false;
  private failure: Error | undefined;

  constructor(
    socket: Socket,
    clock: Clock,
    private readonly options: Http2ConnectionOptions,
  ) {
    this.session = connect(`https://${options.authority}`, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: streamWindowBytes },
      maxSessionMemory: sessionMemoryMiB,
    });
    const watched = {
      session: this.session,
      socket,
      isIdle: () => this.streams === 0,
      onDead: (error: Error) => this.destroy(error),
      onIdle: () => this.retire(),
    };
    this.health = new ConnectionHealth(watched, clock, options);
    this.session.once('connect', () => this.session.setLocalWindowSize(connectionWindowBytes));
    this.session.on('error', (error) => (this.failure ??= error));
    this.session.once('remoteSettings', () => (this.greeted = true));
    // Node itself closes the session gracefully for NO_ERROR, and destroys it for any other code.
    this.session.once('goaway', () => this.gone());
    this.session.once('close', () => {
      this.gone();
      this.health.stop();
      options.onClosed();
    });
  }

  get usable(): boolean {
    if (this.going || this.session.closed || this.session.destroyed) return false;
    return this.streams < (this.session.remoteSettings?.maxConcurrentStreams ?? assumedStreams);
  }

  get openRequests(): number {
    return this.streams;
  }

  async send(request: WireRequest, signal: AbortSignal): Promise<KubeHttpResponse> {
    if (signal.aborted) throw abortReason(signal);
    if (this.going || this.session.closed || this.session.destroyed) {
      throw new UnprocessedRequestError(this.failure);
    }
    return this.exchange(request, signal);
  }

  retire(): void {
    this.gone();
    this.session.close();
  }

  destroy(error: Error): void {
    this.failure ??= error;
    this.health.stop();
    this.gone();
    this.session.destroy(error);
  }

  private exchange({ method, path, headers, body }: WireRequest, signal: AbortSignal): Promise<KubeHttpResponse> {
    const stream = this.open({ ':method': method, ':path': path, ...headers }, body === undefined);
    this.streams += 1;
    let failure: Error | undefined;
    const stopListening = onAbort(signal, () => {
      failure ??= abortReason(signal);
      stream.close(constants.NGHTTP2_CANCEL);
      stream.destroy();
    });
    let open = true;
    const ended = (): void => {
      if (open) this.streams -= 1;
      open = false;
      this.health.used();
    };
    // The body ends with the last byte; Node reports the close some turns later.
    stream.once('end', ended);
    stream.once('close', () => {
      ended();
      stopListening();
    });
    stream.on('error', (error) => (failure ??= this.streamError(error, stream.rstCode)));
    const broken = (): Error => failure ?? this.streamError(this.failure, stream.rstCode);
    if (body !== undefined) stream.end(body);
    return new Promise((resolve, reject) => {
      const closed = (): void => reject(broken());
      stream.once('close', closed);
      stream.once('response', (head: IncomingHttpHeaders & IncomingHttpStatusHeader) => {
        stream.off('close', closed);
        const { ':status': status = 0, ...rest } = head;
        const bodyOf = streamBody(stream, broken, () => stream.close(constants.NGHTTP2_CANCEL));
        resolve({ status, headers: plainHeaders(rest), body: bodyOf });
      });
    });
  }

  private open(headers: OutgoingHttpHeaders, endStream: boolean): ClientHttp2Stream {
    try {
      return this.session.request({ ':authority': this.options.authority, ...headers }, { endStream });
    } catch (error) {
      throw new UnprocessedRequestError(error);
    }
  }

  private streamError(cause: unknown, code: number | undefined): Error {
    // The server did not process a stream that it refused, or that came after its GOAWAY.
    if (code === constants.NGHTTP2_REFUSED_STREAM) return new UnprocessedRequestError(cause);
    const own = this.failure ?? cause ?? this.closed(code);
    return new KubeletError(this.options.describe(own), { code: 'unavailable', cause: own });
  }

  /**
   * Node drops TLS alerts after the handshake once HTTP/2 owns the socket, such as for a refused client certificate.
   */
  private closed(code: number | undefined): Error {
    return this.greeted
      ? new Error(`the server ended the request (HTTP/2 error code ${code ?? 0})`)
      : Object.assign(new Error('the server closed the connection right after the handshake'), { code: ungreetedCode });
  }

  private gone(): void {
    if (this.going) return;
    this.going = true;
    this.options.onGone();
  }
}
