import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import { isIPv6, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';
import { KubeletError, messageOf } from '@podwright/errors';
import { Connections, type ConnectionLimits } from './connections.js';
import { bindSocket } from './local/local-socket.js';
import { refusalOfError, refusalOfRequest, refuseOn, refuseWith, type Refusal } from './malformed-request.js';
import { maxHeaders } from './request-headers.js';
import { RequestHandler, type RequestHandlerParts } from './request-handler.js';

// Upstream's limits: pkg/kubelet/server/server.go.
const idleTimeoutMs = 90_000;
const requestTimeoutMs = 4 * 3600_000;
const maxHeaderBytes = 1 << 20;
// In the words of Go's net/http, which people who typed http:// look up.
const plainRequestToTls = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

export interface ListenerOptions {
  /** Name in error messages; `fields` names the configuration fields that set the address. */
  readonly name: string;
  readonly fields: string;
  readonly bind: { readonly host: string; readonly port: number } | { readonly socketPath: string };
  /** Absent: plain HTTP. Without a certificate, every handshake fails. */
  readonly tls?: TlsOptions;
  /** Handshakes begin when this has resolved; connections that come before wait. */
  readonly holdUntil?: Promise<void> | undefined;
  readonly limits: ConnectionLimits & { readonly headersTimeoutMs: number };
  readonly requests: RequestHandlerParts;
  readonly onError: (error: unknown) => void;
  /** Called for each failed handshake. Unknown clients cause many. */
  readonly onHandshakeError?: (error: Error) => void;
}

/** Serves one port: accepts connections within the limits and passes requests and upgrades to the handler. */
export class Listener {
  private readonly server: Server | TlsServer;
  private readonly handler: RequestHandler;
  private readonly connections: Connections;
  /** The newest answer of each connection. */
  private readonly answers = new WeakMap<Socket, ServerResponse>();
  private readonly malformed = new WeakSet<Socket>();
  private unbind: () => Promise<void> = async () => undefined;

  constructor(private readonly options: ListenerOptions) {
    const { limits, tls, requests, onHandshakeError } = options;
    this.handler = new RequestHandler(requests);
    this.connections = new Connections(limits, requests.clock);
    const http = {
      maxHeaderSize: maxHeaderBytes,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: idleTimeoutMs,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.headersTimeoutMs,
      // We look ourselves, to answer as Go does.
      requireHostHeader: false,
    };
    // In a tunnel, one side may end while the other still sends.
    const handshake = { handshakeTimeout: limits.headersTimeoutMs, allowHalfOpen: true };
    this.server = tls === undefined ? createServer(http) : createTlsServer({ ...http, ...handshake, ...tls });
    this.server.maxHeadersCount = maxHeaders;
    if (options.holdUntil !== undefined) this.hold(options.holdUntil);
    this.server.on('connection', (socket: Socket) => this.connections.add(socket));
    this.server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      if (error.code === 'ERR_SSL_HTTP_REQUEST') this.connections.of(socket)?.refuse(plainRequestToTls);
      onHandshakeError?.(error);
    });
    this.server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      // Something after the last request: nobody reads it, and the answer closes the connection.
      if (error.code === 'HPE_CLOSED_CONNECTION') return;
      const refusal = refusalOfError(error);
      if (refusal === undefined || !socket.writable) socket.destroy(error);
      else this.refuse(socket, refusal);
    });
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      this.answers.set(request.socket, response);
      const refusal = refusalOfRequest(request);
      if (refusal === undefined) void this.handler.serve(request, response, this.connections.of(request.socket));
      else refuseWith(response, refusal);
    };
    this.server.on('request', serve);
    // As in Go, the client may send the body when somebody reads it.
    this.server.on('checkContinue', serve);
    this.server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
      response.writeHead(417, { Connection: 'close', 'Content-Length': 0 }).end();
    });
    this.server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
      const refusal = refusalOfRequest(request);
      if (refusal === undefined) void this.handler.upgrade(request, stream, head, this.connections.of(request.socket));
      else refuseOn(stream, refusal);
    });
  }

  /** Number of open connections. */
  get connectionCount(): number {
    return this.connections.size;
  }

  /** Binds the port. Rejects with `unavailable`, naming the configuration fields to change, when that fails. */
  async listen(): Promise<void> {
    const { name, fields, bind, onError } = this.options;
    try {
      if ('socketPath' in bind) this.unbind = await bindSocket(this.server, bind.socketPath);
      else await this.bind(bind.host, bind.port);
    } catch (error) {
      const [place, remedy] =
        'socketPath' in bind ? [bind.socketPath, 'or '] : [authority(bind.host, bind.port), 'free the port or '];
      const message = `cannot listen for ${name} on ${place}: ${messageOf(error)}; ${remedy}change ${fields}`;
      throw new KubeletError(message, { code: 'unavailable', cause: error });
    }
    this.server.on('error', onError);
  }

  address(): string {
    const { bind } = this.options;
    if ('socketPath' in bind) return bind.socketPath;
    const { address, port } = this.server.address() as AddressInfo;
    return authority(address, port);
  }

  /** Replaces the certificate for later handshakes; open connections keep theirs. Throws for an invalid certificate. */
  useContext(context: TlsOptions): void {
    if (this.server instanceof TlsServer) this.server.setSecureContext(context);
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.handler.stop();
    this.connections.closeAll();
    this.server.closeAllConnections();
    await closed;
    await this.unbind();
  }

  // What a socket has received meanwhile, TLS gets when it takes it over.
  private hold(until: Promise<void>): void {
    const handshakes = this.server.listeners('connection');
    this.server.removeAllListeners('connection');
    const held: Socket[] = [];
    const accept = (socket: Socket): void => {
      if (!socket.destroyed) for (const handshake of handshakes) handshake.call(this.server, socket);
    };
    const hold = (socket: Socket): void => void held.push(socket.on('error', () => undefined));
    this.server.on('connection', hold);
    void until.then(() => {
      this.server.off('connection', hold).on('connection', accept);
      for (const socket of held.splice(0)) accept(socket);
    });
  }

  /** Requests that came before are answered first. */
  private refuse(socket: Socket, refusal: Refusal): void {
    // The parser repeats its error for whatever else comes.
    if (this.malformed.has(socket)) return;
    this.malformed.add(socket);
    const newest = this.answers.get(socket);
    // That answer ends the connection.
    if (newest !== undefined && newest.headersSent && !newest.shouldKeepAlive) return;
    const isOver = newest === undefined || newest.writableFinished;
    if (isOver) refuseOn(socket, refusal);
    else if (newest.req.complete) newest.once('close', () => refuseOn(socket, refusal));
    // The fault is in the body of the newest request, for which this is the answer, unless it would be mixed up with
    // one that is being written, or that comes first.
    else if (newest.headersSent || (this.connections.of(socket)?.requestsInProgress ?? 0) > 1) socket.destroy();
    else refuseOn(socket, refusal);
  }

  // As Go does: `0.0.0.0` listens on IPv4 and IPv6 where the machine has both.
  private async bind(host: string, port: number): Promise<void> {
    if (host !== '0.0.0.0') return this.bindTo(host, port);
    try {
      await this.bindTo('::', port);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (!['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EINVAL'].includes(code)) throw error;
      await this.bindTo(host, port);
    }
  }

  private async bindTo(host: string, port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
  }
}

const authority = (host: string, port: number): string => (isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`);
