import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import type {
  AllocatableResourcesResponse,
  GetPodResourcesResponse,
  ListPodResourcesResponse,
} from '../generated/podresources.js';
import { podResourcesListerMethods as methods } from './generated/client-codecs.js';

interface Method<Request, Answer> {
  readonly path: string;
  encode(request: Request): Buffer;
  decode(bytes: Buffer): Answer;
}

/** Calls a pod resources server as an agent on the node does. A failed call rejects with the ServiceError of gRPC. */
export class PodResourcesClient {
  private readonly client: Client;

  constructor(socket: string) {
    this.client = new Client(`unix:${socket}`, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
  }

  list(version: 'v1' | 'v1alpha1' = 'v1'): Promise<ListPodResourcesResponse> {
    return this.call({ ...methods.list, path: `/${version}.PodResourcesLister/List` }, {});
  }

  get(podNamespace: string, podName: string): Promise<GetPodResourcesResponse> {
    return this.call(methods.get, { podNamespace, podName });
  }

  allocatable(): Promise<AllocatableResourcesResponse> {
    return this.call(methods.getAllocatableResources, {});
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
