import { lstat, rm } from 'node:fs/promises';
import { createServer, type Server as NetServer, type Socket } from 'node:net';
import type {
  ConnectionInjector,
  sendUnaryData,
  Server,
  ServerUnaryCall,
  ServerWritableStream,
  ServiceDefinition,
} from '@grpc/grpc-js';
import { isMissing, KubeletError, messageOf } from '@podwright/errors';
import { grpcStatus } from './grpc-status.js';
import { isSocketServed } from './served-socket.js';
import { isServiceError } from './service-error.js';

/** One RPC for its server: its path and its wire format. */
export interface ServerMethod<Request, Answer> {
  readonly path: string;
  encode(answer: Answer): Buffer;
  decode(bytes: Buffer): Request;
}

export interface SocketServerOptions {
  /** Default 4 MiB. */
  readonly maxRequestBytes?: number;
}

/** A handler throws it to answer with this gRPC status. */
export class StatusError extends Error {
  constructor(
    /** One of {@link grpcStatus}. */
    readonly code: number,
    readonly details: string,
  ) {
    super(details);
  }
}

interface ServedCalls {
  readonly server: Server;
  readonly connections: ConnectionInjector;
}

/**
 * A gRPC server on one unix socket. Each RPC is a plain function. grpc-js is loaded with the first client: most nodes have
 * none for most of the kubelet's sockets.
 */
export class SocketServer {
  private listener: NetServer | undefined;
  private readonly sockets = new Set<Socket>();
  private grpc: Promise<ServedCalls> | undefined;
  private readonly definition: Record<string, ServiceDefinition[string]> = {};
  // oxlint-disable-next-line typescript/no-explicit-any -- each method has its own messages; grpc-js tells them apart by the definition
  private readonly handlers: Record<string, (call: any, respond: any) => void> = {};

  constructor(
    readonly socket: string,
    private readonly options: SocketServerOptions = {},
  ) {}

  /**
   * Adds a unary RPC; call it before `listen`. When `answer` throws a {@link StatusError}, the client gets that status;
   * any other error becomes the status Unknown with its message, as in Go's server.
   */
  unary<Request, Answer>(
    method: ServerMethod<Request, Answer>,
    answer: (request: Request, call: ServerUnaryCall<Request, Answer>) => NoInfer<Answer> | Promise<NoInfer<Answer>>,
  ): void {
    this.define(method, false);
    this.handlers[method.path] = (call: ServerUnaryCall<Request, Answer>, respond: sendUnaryData<Answer>): void => {
      Promise.resolve()
        .then(() => answer(call.request, call))
        .then(
          (value) => respond(null, value),
          (error: unknown) => respond(statusOf(error)),
        );
    };
  }

  /** Adds a server-streaming RPC; call it before `listen`. An error of `write` ends the stream as in `unary`. */
  stream<Request, Answer>(
    method: ServerMethod<Request, Answer>,
    write: (stream: ServerWritableStream<Request, Answer>) => Promise<void> | void,
  ): void {
    this.define(method, true);
    this.handlers[method.path] = (stream: ServerWritableStream<Request, Answer>): void => {
      Promise.resolve()
        .then(() => write(stream))
        .catch((error: unknown) => void stream.emit('error', statusOf(error)));
    };
  }

  /**
   * Listens. Replaces a socket that nobody serves, such as one of a killed server, and a file or a link, as upstream; rejects
   * when a directory has its path.
   */
  async listen(): Promise<void> {
    await makeRoom(this.socket);
    const listener = createServer((socket) => this.accept(socket));
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject).listen(this.socket, () => {
        listener.off('error', reject);
        resolve();
      });
    });
    this.listener = listener;
  }

  get listening(): boolean {
    return this.listener !== undefined;
  }

  /** Ends all calls and connections. May be called twice. */
  close(): void {
    this.listener?.close();
    this.listener = undefined;
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
    void this.grpc?.then(({ server }) => server.forceShutdown());
    this.grpc = undefined;
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    // The client sees the end of the connection.
    socket.on('error', () => undefined);
    (this.grpc ??= this.serve()).then(
      ({ connections }) => connections.injectConnection(socket),
      (error: unknown) => socket.destroy(error instanceof Error ? error : undefined),
    );
  }

  private async serve(): Promise<ServedCalls> {
    const { Server: GrpcServer, ServerCredentials } = await import('@grpc/grpc-js');
    const { maxRequestBytes } = this.options;
    const server = new GrpcServer({
      'grpc.enable_channelz': 0,
      ...(maxRequestBytes !== undefined && { 'grpc.max_receive_message_length': maxRequestBytes }),
    });
    server.addService(this.definition, this.handlers);
    return { server, connections: server.createConnectionInjector(ServerCredentials.createInsecure()) };
  }

  private define<Request, Answer>(method: ServerMethod<Request, Answer>, responseStream: boolean): void {
    this.definition[method.path] = {
      path: method.path,
      requestStream: false,
      responseStream,
      requestSerialize: neverSent,
      requestDeserialize: (bytes) => method.decode(bytes),
      responseSerialize: (answer: Answer) => method.encode(answer),
      responseDeserialize: neverSent,
    };
  }
}

function statusOf(error: unknown): { readonly code: number; readonly details: string } {
  if (isServiceError(error)) return { code: error.code, details: error.details };
  return { code: grpcStatus.UNKNOWN, details: messageOf(error) };
}

async function makeRoom(socket: string): Promise<void> {
  try {
    if ((await lstat(socket)).isDirectory()) {
      throw new KubeletError('there is a directory: remove it', { code: 'failed-precondition' });
    }
    // Its server would go on without clients, for it does not see that its socket is gone.
    if (await isSocketServed(socket)) {
      throw new KubeletError('another process serves it: stop that process', { code: 'failed-precondition' });
    }
    await rm(socket, { force: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function neverSent(): never {
  throw new KubeletError('a server sends no requests', { code: 'internal' });
}
