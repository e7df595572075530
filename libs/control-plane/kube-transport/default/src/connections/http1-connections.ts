import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { KubeletError } from '@podwright/errors';
import type { KubeHttpResponse } from '@podwright/kube-client-interface';
import { abortReason, onAbort } from '@podwright/time';
import type { Connection, WireRequest } from './connection.js';
import { UnprocessedRequestError } from './connection.js';
import { plainHeaders } from './plain-headers.js';
import { streamBody } from './stream-body.js';

export interface Http1ConnectionsOptions {
  /** Value of the Host header. */
  readonly authority: string;
  /** Opens one more connection. */
  readonly dial: () => Promise<Socket>;
  /** Describes an error in plain words. */
  readonly describe: (error: unknown) => string;
}

// As upstream's MaxIdleConnsPerHost.
const mostIdle = 25;
const noBody = new Set(['GET', 'DELETE']);

/**
 * HTTP/1.1 connections, kept open between requests: one request per connection at a time, as many connections as open
 * requests.
 */
export class Http1Connections implements Connection {
  private readonly agent: Agent;
  private readonly sockets = new Set<Socket>();
  private requests = 0;
  private going = false;
  private failure: Error | undefined;

  /** `first`: a connection that is open already. */
  constructor(
    first: Socket | undefined,
    private readonly options: Http1ConnectionsOptions,
  ) {
    let waiting = first;
    const connect = async (): Promise<Socket> => {
      const socket = waiting !== undefined && !waiting.destroyed ? waiting : await options.dial();
      waiting = undefined;
      return this.kept(socket);
    };
    this.agent = new Agent({ keepAlive: true, maxFreeSockets: mostIdle, scheduling: 'lifo' });
    Object.assign(this.agent, {
      createConnection: (_options: unknown, made: (error: Error | null, socket?: Socket) => void): void => {
        connect().then(
          (socket) => made(null, socket),
          (error: unknown) => made(error as Error),
        );
      },
    });
  }

  get usable(): boolean {
    return !this.going;
  }

  get openRequests(): number {
    return this.requests;
  }

  async send(request: WireRequest, signal: AbortSignal): Promise<KubeHttpResponse> {
    if (signal.aborted) throw abortReason(signal);
    if (this.going) throw new UnprocessedRequestError(this.failure);
    this.requests += 1;
    return this.exchange(request, signal);
  }

  /** Closes idle connections now, the others after their request. */
  closeIdle(): void {
    for (const free of Object.values(this.agent.freeSockets)) for (const socket of free ?? []) socket.destroy();
  }

  retire(): void {
    this.going = true;
    this.closeIdle();
    if (this.requests === 0) this.agent.destroy();
  }

  destroy(error: Error): void {
    this.failure ??= error;
    this.going = true;
    this.agent.destroy();
    for (const socket of this.sockets) socket.destroy(error);
  }

  private kept(socket: Socket): Socket {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    // Between two requests there is no other listener.
    socket.on('error', () => undefined);
    if (this.going) socket.destroy();
    return socket;
  }

  private exchange({ method, path, headers, body }: WireRequest, signal: AbortSignal): Promise<KubeHttpResponse> {
    const length =
      body === undefined
        ? noBody.has(method)
          ? {}
          : { 'content-length': '0' }
        : { 'content-length': String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      let failure: Error | undefined;
      const outgoing = httpRequest({
        agent: this.agent,
        method,
        path,
        headers: { host: this.options.authority, ...length, ...headers } as Record<string, string | string[]>,
      });
      const stopListening = onAbort(signal, () => {
        failure ??= abortReason(signal);
        reject(failure);
        outgoing.destroy(failure);
      });
      outgoing.once('response', (message: IncomingMessage) => {
        const broken = (): Error => failure ?? this.fault(message.errored ?? this.failure);
        const bodyOf = streamBody(message, broken, () => outgoing.destroy());
        message.on('error', () => undefined);
        resolve({ status: message.statusCode ?? 0, headers: plainHeaders(message.headers), body: bodyOf });
      });
      outgoing.on('error', (error) => reject(failure ?? this.requestError(error, method, outgoing)));
      outgoing.once('close', () => {
        stopListening();
        this.requests -= 1;
        if (this.going && this.requests === 0) this.agent.destroy();
        // Has an effect only for a request that ended without an error.
        reject(failure ?? this.fault(undefined));
      });
      outgoing.end(body);
    });
  }

  /**
   * The server may have closed a kept connection while the request was being sent; as Go, retries requests that change
   * nothing.
   */
  private requestError(error: Error, method: string, request: ClientRequest): Error {
    const raced = request.reusedSocket && method === 'GET' && this.failure === undefined;
    return raced ? new UnprocessedRequestError(error) : this.fault(error);
  }

  private fault(cause: unknown): Error {
    const own = this.failure ?? cause;
    return new KubeletError(own === undefined ? 'unexpected EOF' : this.options.describe(own), {
      code: 'unavailable',
      cause: own,
    });
  }
}
