import { createToken } from '@podwright/assembly-interface';
import type { ContainerAllocateResponse, Device, DevicePluginOptions } from '@podwright/device-manager-interface';
import { rethrowAsRpc } from '@podwright/errors';
import { PluginConnection } from '@podwright/grpc';
import type { Clock } from '@podwright/time';
import type { ListedDevice } from '../devices/device-inventory.js';
import { devicePluginMethods as methods } from '../generated/client-codecs.js';

/** A connection to one plugin. Failed calls reject with the text that Go's client shows. */
export interface DevicePluginClient {
  options(signal: AbortSignal): Promise<DevicePluginOptions>;
  /** Yields each list that the plugin sends. Ends or throws when the plugin is gone. */
  lists(signal: AbortSignal): AsyncIterable<readonly ListedDevice[]>;
  /** undefined: the answer contains no container. */
  allocate(ids: readonly string[], signal: AbortSignal): Promise<ContainerAllocateResponse | undefined>;
  preferred(
    available: readonly string[],
    mustInclude: readonly string[],
    size: number,
    signal: AbortSignal,
  ): Promise<readonly string[]>;
  preStart(ids: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Resolves when the plugin accepts connections on its socket. */
export type ConnectDevicePlugin = (
  socket: string,
  timeoutMs: number,
  signal: AbortSignal,
) => Promise<DevicePluginClient>;

/** Optional: without it the kubelet connects to the plugins' sockets. */
export const DEVICE_PLUGIN_CONNECTOR = createToken<ConnectDevicePlugin>('kubelet.device-manager.connector/v1');

/**
 * Connects to plugins by gRPC on their sockets. Source: kubernetes v1.36
 * pkg/kubelet/cm/devicemanager/plugin/v1beta1/client.go.
 */
export function devicePluginConnector(clock: Clock): ConnectDevicePlugin {
  return async (socket, connectTimeoutMs, signal) =>
    new GrpcDevicePluginClient(await PluginConnection.open(socket, { clock, connectTimeoutMs, signal }));
}

class GrpcDevicePluginClient implements DevicePluginClient {
  constructor(private readonly connection: PluginConnection) {}

  options(signal: AbortSignal): Promise<DevicePluginOptions> {
    return this.connection.unary(methods.getDevicePluginOptions, {}, { signal }).catch(rethrowAsRpc);
  }

  async *lists(signal: AbortSignal): AsyncGenerator<readonly ListedDevice[], void, undefined> {
    for await (const { devices } of this.connection.stream(methods.listAndWatch, {}, { signal }))
      yield devices.map(listed);
  }

  async allocate(ids: readonly string[], signal: AbortSignal): Promise<ContainerAllocateResponse | undefined> {
    const request = { containerRequests: [{ devicesIds: [...ids] }] };
    const answer = await this.connection.unary(methods.allocate, request, { signal }).catch(rethrowAsRpc);
    return answer.containerResponses[0];
  }

  async preferred(
    available: readonly string[],
    mustInclude: readonly string[],
    size: number,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const containerRequests = [
      { availableDeviceIDs: [...available], mustIncludeDeviceIDs: [...mustInclude], allocationSize: size },
    ];
    const answer = await this.connection
      .unary(methods.getPreferredAllocation, { containerRequests }, { signal })
      .catch(rethrowAsRpc);
    return answer.containerResponses[0]?.deviceIDs ?? [];
  }

  async preStart(ids: readonly string[], timeoutMs: number, signal: AbortSignal): Promise<void> {
    const request = { devicesIds: [...ids] };
    await this.connection.unary(methods.preStartContainer, request, { timeoutMs, signal }).catch(rethrowAsRpc);
  }

  close(): void {
    this.connection.close();
  }
}

const listed = ({ ID: id, health, topology }: Device): ListedDevice => ({
  id,
  health,
  numaNodes: (topology?.nodes ?? []).map(({ ID }) => Number(ID)),
});
