import { rm, stat } from 'node:fs/promises';
import {
  Server,
  ServerCredentials,
  status,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { isMissing, KubeletError, messageOf } from '@podwright/errors';
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
    readonly code: status,
    readonly details: string,
  ) {
    super(details);
  }
}

/** A gRPC server on one unix socket. Each RPC is a plain function. */
export class SocketServer {
  private server: Server | undefined;
  private readonly definition: Record<string, ServiceDefinition[string]> = {};
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each method has its own messages; grpc-js tells them apart by the definition
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

  /** Listens. Replaces an existing socket, such as one of a killed server; rejects when anything else has its path. */
  async listen(): Promise<void> {
    await removeSocket(this.socket);
    const { maxRequestBytes } = this.options;
    // Channelz stays on: without it forceShutdown of grpc-js 1.14 leaves the connections open.
    const server = new Server(
      maxRequestBytes === undefined ? {} : { 'grpc.max_receive_message_length': maxRequestBytes },
    );
    server.addService(this.definition, this.handlers);
    await new Promise<void>((resolve, reject) => {
      server.bindAsync(`unix:${this.socket}`, ServerCredentials.createInsecure(), (error) =>
        error === null ? resolve() : reject(error),
      );
    });
    this.server = server;
  }

  get listening(): boolean {
    return this.server !== undefined;
  }

  /** Ends all calls and connections. May be called twice. */
  close(): void {
    this.server?.forceShutdown();
    this.server = undefined;
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

function statusOf(error: unknown): { readonly code: status; readonly details: string } {
  if (isServiceError(error)) return { code: error.code, details: error.details };
  return { code: status.UNKNOWN, details: messageOf(error) };
}

async function removeSocket(socket: string): Promise<void> {
  try {
    if ((await stat(socket)).isSocket()) await rm(socket, { force: true });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function neverSent(): never {
  throw new KubeletError('a server sends no requests', { code: 'internal' });
}
