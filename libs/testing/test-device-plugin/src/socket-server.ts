import { rm } from 'node:fs/promises';
import {
  Server,
  ServerCredentials,
  status,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { messageOf } from '@podwright/errors';

interface ServerMethod<Request, Answer> {
  readonly rpc: string;
  readonly path: string;
  readonly stream: boolean;
  encode(answer: Answer): Buffer;
  decode(bytes: Buffer): Request;
}

/** A gRPC server on one unix socket, whose services are made of plain functions. */
export class SocketServer {
  private server: Server | undefined;
  private readonly definition: Record<string, ServiceDefinition[string]> = {};
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each method has its own messages; grpc-js tells them apart by the definition
  private readonly handlers: Record<string, (call: any, respond: any) => void> = {};

  constructor(readonly socket: string) {}

  /** What is thrown becomes a status Unknown with the text. */
  unary<Request, Answer>(
    method: ServerMethod<Request, Answer>,
    answer: (request: Request) => NoInfer<Answer> | Promise<NoInfer<Answer>>,
  ): void {
    this.define(method);
    this.handlers[method.rpc] = (call: ServerUnaryCall<Request, Answer>, respond: sendUnaryData<Answer>): void => {
      Promise.resolve()
        .then(() => answer(call.request))
        .then(
          (value) => respond(null, value),
          (error: unknown) => respond({ code: status.UNKNOWN, details: messageOf(error) }),
        );
    };
  }

  stream<Request, Answer>(
    method: ServerMethod<Request, Answer>,
    open: (stream: ServerWritableStream<Request, Answer>) => void,
  ): void {
    this.define(method);
    this.handlers[method.rpc] = open;
  }

  /** Listens; a socket that a former server left is taken over. */
  async listen(): Promise<void> {
    await rm(this.socket, { force: true });
    // Channelz stays on: without it forceShutdown of grpc-js 1.14 leaves the connections open.
    const server = new Server();
    server.addService(this.definition, this.handlers);
    await new Promise<void>((resolve, reject) => {
      server.bindAsync(`unix:${this.socket}`, ServerCredentials.createInsecure(), (error) =>
        error === null ? resolve() : reject(error),
      );
    });
    this.server = server;
  }

  /** Ends all calls, and removes the socket unless it is to be found dead. */
  async close({ keepSocket = false }: { readonly keepSocket?: boolean } = {}): Promise<void> {
    this.server?.forceShutdown();
    this.server = undefined;
    if (!keepSocket) await rm(this.socket, { force: true });
  }

  private define<Request, Answer>(method: ServerMethod<Request, Answer>): void {
    this.definition[method.rpc] = {
      path: method.path,
      requestStream: false,
      responseStream: method.stream,
      requestSerialize: neverSent,
      requestDeserialize: (bytes) => method.decode(bytes),
      responseSerialize: (answer: Answer) => method.encode(answer),
      responseDeserialize: neverSent,
    };
  }
}

function neverSent(): never {
  throw new Error('a server sends no requests');
}
