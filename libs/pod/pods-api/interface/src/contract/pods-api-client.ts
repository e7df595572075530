import { PluginConnection } from '@podwright/grpc';
import { createSystemClock } from '@podwright/time';
import type { GetPodResponse, ListPodsResponse, WatchPodsEvent } from '../generated/pods.js';
import { podsMethods as methods } from './generated/client-codecs.js';

/** Calls a Pods API as a program on the node does. A failed call rejects with the code and message of gRPC. */
export class PodsApiClient {
  private readonly connection: PluginConnection;

  constructor(socket: string) {
    this.connection = PluginConnection.lazy(socket, { clock: createSystemClock() });
  }

  list(): Promise<ListPodsResponse> {
    return this.connection.unary(methods.listPods, {});
  }

  get(podUID: string): Promise<GetPodResponse> {
    return this.connection.unary(methods.getPod, { podUID });
  }

  /** The events, as fast as they are taken; throws when the watch fails. */
  watch(): AsyncGenerator<WatchPodsEvent, void, undefined> {
    return this.connection.stream(methods.watchPods, {});
  }

  close(): void {
    this.connection.close();
  }
}
