import { createToken } from '@podwright/assembly-interface';
import type {
  Claim,
  DeviceHealth,
  NodePrepareResourcesResponse,
  NodeUnprepareResourcesResponse,
} from '@podwright/dra-interface';
import { PluginConnection, type GrpcMethod } from '@podwright/grpc';
import type { Clock } from '@podwright/time';
import { dRAResourceHealthMethods as healthMethods } from '../generated/dra-health-client-codecs.js';
import { dRAPluginMethods as v1Methods } from '../generated/dra-client-codecs.js';

/** The services that this kubelet calls, the newest first. */
export const supportedServices = ['v1.DRAPlugin', 'v1beta1.DRAPlugin'] as const;
export type DraService = (typeof supportedServices)[number];

export interface DraCallOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A connection to one plugin of a driver. Failed calls reject with the gRPC code and message. */
export interface DraDriverClient {
  prepare(claims: readonly Claim[], options: DraCallOptions): Promise<NodePrepareResourcesResponse>;
  unprepare(claims: readonly Claim[], options: DraCallOptions): Promise<NodeUnprepareResourcesResponse>;
  /** Yields each list of all devices. Ends or throws when the plugin is gone or has no such service. */
  health(signal: AbortSignal): AsyncIterable<readonly DeviceHealth[]>;
  /** Connects, again and again; reports when the plugin has accepted (true) and when the connection has ended. */
  keepConnected(listener: (connected: boolean) => void): void;
  close(): void;
}

export type ConnectDraDriver = (endpoint: string, service: DraService) => DraDriverClient;

/** Optional: without it the kubelet connects to the sockets of the drivers. */
export const DRA_DRIVER_CONNECTOR = createToken<ConnectDraDriver>('kubelet.dra.connector/v1');

/** Full names of the methods, by service. v1beta1 has the messages of v1, but no share ids. */
export function methodsOf(service: DraService): typeof v1Methods {
  if (service === 'v1.DRAPlugin') return v1Methods;
  const older = <T extends { readonly path: string }>(method: T): T => ({
    ...method,
    path: method.path.replace('.dra.v1.', '.dra.v1beta1.'),
  });
  return {
    nodePrepareResources: older(v1Methods.nodePrepareResources),
    nodeUnprepareResources: older(v1Methods.nodeUnprepareResources),
  };
}

/** Connects to plugins by gRPC on their sockets. Source: kubernetes v1.36 pkg/kubelet/cm/dra/plugin/dra_plugin.go. */
export function draDriverConnector(clock: Clock): ConnectDraDriver {
  return (endpoint, service) => new GrpcDraDriverClient(PluginConnection.lazy(endpoint, { clock }), service);
}

class GrpcDraDriverClient implements DraDriverClient {
  private readonly methods: typeof v1Methods;

  constructor(
    private readonly connection: PluginConnection,
    private readonly service: DraService,
  ) {
    this.methods = methodsOf(service);
  }

  async prepare(claims: readonly Claim[], options: DraCallOptions): Promise<NodePrepareResourcesResponse> {
    const answer = await this.call(this.methods.nodePrepareResources, { claims }, options);
    if (this.service === 'v1.DRAPlugin') return answer;
    const without = Object.entries(answer.claims).map(([uid, { devices, ...rest }]) => {
      return [uid, { ...rest, devices: devices.map(({ shareId: _unknown, ...device }) => device) }] as const;
    });
    return { claims: Object.fromEntries(without) };
  }

  unprepare(claims: readonly Claim[], options: DraCallOptions): Promise<NodeUnprepareResourcesResponse> {
    return this.call(this.methods.nodeUnprepareResources, { claims }, options);
  }

  async *health(signal: AbortSignal): AsyncGenerator<readonly DeviceHealth[], void, undefined> {
    for await (const { devices } of this.connection.stream(healthMethods.nodeWatchResources, {}, { signal }))
      yield devices;
  }

  keepConnected(listener: (connected: boolean) => void): void {
    this.connection.keepConnected(listener);
  }

  close(): void {
    this.connection.close();
  }

  private call<Request, Answer>(
    method: GrpcMethod<Request, Answer>,
    request: Request,
    options: DraCallOptions,
  ): Promise<Answer> {
    return this.connection.unary(method, request, options);
  }
}
