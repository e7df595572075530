import { Client, credentials, type ClientReadableStream, type ServiceError } from '@grpc/grpc-js';
import type { GetPodResponse, ListPodsResponse, WatchPodsEvent } from '../generated/pods.js';
import { podsMethods as methods } from './generated/client-codecs.js';

interface Method<Request, Answer> {
  readonly path: string;
  encode(request: Request): Buffer;
  decode(bytes: Buffer): Answer;
}

/** Calls a Pods API as a program on the node does. A failed call rejects with the ServiceError of gRPC. */
export class PodsApiClient {
  private readonly client: Client;

  constructor(socket: string) {
    this.client = new Client(`unix:${socket}`, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
  }

  list(): Promise<ListPodsResponse> {
    return this.call(methods.listPods, {});
  }

  get(podUID: string): Promise<GetPodResponse> {
    return this.call(methods.getPod, { podUID });
  }

  /** The events; it throws the ServiceError that ends the watch. */
  watch(): ClientReadableStream<WatchPodsEvent> {
    const { path, encode, decode } = methods.watchPods;
    return this.client.makeServerStreamRequest(path, encode, decode, {});
  }

  close(): void {
    this.client.close();
  }

  private call<Request, Answer>({ path, encode, decode }: Method<Request, Answer>, request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.client.makeUnaryRequest(path, encode, decode, request, (error: ServiceError | null, answer?: Answer) =>
        error === null ? resolve(answer as Answer) : reject(error),
      );
    });
  }
}
