import type { DevicePluginOptions } from '@podwright/device-manager-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import { withLinkedSignal, type Clock } from '@podwright/time';
import type { ListedDevice } from '../devices/device-inventory.js';
import type { ConnectDevicePlugin, DevicePluginClient } from './device-plugin-client.js';

/** The plugin of one resource, connected or not. */
export interface PluginEndpoint {
  /** undefined: the resource is known from an earlier kubelet only. */
  readonly client: DevicePluginClient | undefined;
  readonly options: DevicePluginOptions | undefined;
  /** Monotonic milliseconds; undefined while it runs. */
  readonly stoppedAtMs: number | undefined;
}

export interface PluginEndpointsOptions {
  readonly connect: ConnectDevicePlugin;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly dialTimeoutMs: number;
  /** The next list is read when this promise has resolved. */
  readonly onDevices: (resource: string, devices: readonly ListedDevice[]) => Promise<void>;
  readonly onStopped: (resource: string) => void;
}

/**
 * The plugin that serves each resource. Source: kubernetes v1.36
 * pkg/kubelet/cm/devicemanager/plugin/v1beta1/handler.go.
 */
export class PluginEndpoints {
  private readonly endpoints = new Map<string, PluginEndpoint>();
  private readonly streams = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(private readonly options: PluginEndpointsOptions) {}

  get(resource: string): PluginEndpoint | undefined {
    return this.endpoints.get(resource);
  }

  /** Adds a resource of an earlier kubelet, whose plugin is not back yet. */
  adopt(resource: string): void {
    const stoppedAtMs = this.options.clock.monotonic();
    this.endpoints.set(resource, { client: undefined, options: undefined, stoppedAtMs });
  }

  forget(resource: string): void {
    this.endpoints.get(resource)?.client?.close();
    this.endpoints.delete(resource);
  }

  /** Connects to a plugin, which replaces the resource's former one. If it fails, the former one stays. */
  connect(resource: string, socket: string, signal: AbortSignal): Promise<void> {
    return withLinkedSignal([signal, this.stopping.signal], (either) => this.replace(resource, socket, either));
  }

  private async replace(resource: string, socket: string, signal: AbortSignal): Promise<void> {
    const client = await this.options.connect(socket, this.options.dialTimeoutMs, signal).catch((error: unknown) => {
      throw failed(`failed to dial device plugin: ${messageOf(error)}`, error);
    });
    try {
      const options = await client.options(signal).catch((error: unknown) => {
        throw failed(`failed to get device plugin options: ${messageOf(error)}`, error);
      });
      signal.throwIfAborted();
      const former = this.endpoints.get(resource)?.client;
      this.endpoints.set(resource, { client, options, stoppedAtMs: undefined });
      former?.close();
    } catch (error) {
      client.close();
      throw error;
    }
    const stream = this.run(resource, client).finally(() => this.streams.delete(stream));
    this.streams.add(stream);
  }

  /** Marks the plugin as stopped; further calls to it fail. */
  disconnect(resource: string): void {
    const endpoint = this.endpoints.get(resource);
    if (endpoint?.client === undefined || endpoint.stoppedAtMs !== undefined) return;
    this.endpoints.set(resource, { ...endpoint, stoppedAtMs: this.options.clock.monotonic() });
    endpoint.client.close();
    this.options.onStopped(resource);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the device manager is stopping', { code: 'cancelled' }));
    for (const { client } of this.endpoints.values()) client?.close();
    await Promise.all(this.streams);
  }

  private async run(resource: string, client: DevicePluginClient): Promise<void> {
    const isCurrent = (): boolean => this.endpoints.get(resource)?.client === client;
    try {
      for await (const devices of client.lists(this.stopping.signal)) {
        if (!isCurrent()) return;
        await this.options.onDevices(resource, devices);
      }
      this.options.logger.warn('ListAndWatch ended for device plugin', { resource });
    } catch (error) {
      if (!this.stopping.signal.aborted && isCurrent())
        this.options.logger.error('ListAndWatch ended unexpectedly for device plugin', { resource, error });
    } finally {
      // The end of a replaced plugin must not disconnect its successor.
      if (isCurrent() && !this.stopping.signal.aborted) this.disconnect(resource);
    }
  }
}

function failed(message: string, cause: unknown): KubeletError {
  return new KubeletError(message, { code: KubeletError.from(cause).code, cause });
}
