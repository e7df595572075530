import { watch, type FSWatcher } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { Client, credentials, type ServerWritableStream, type ServiceError } from '@grpc/grpc-js';
import type { ContainerAllocateResponse, Empty, ListAndWatchResponse } from '@podwright/device-manager-interface';
import type { DeepPartial } from '@podwright/protobuf-wire';
import { registrationMethods } from './generated/device-plugin-client-codecs.js';
import { devicePluginMethods as methods } from './generated/device-plugin-server-codecs.js';
import { SocketServer } from './socket-server.js';

export interface TestDevice {
  readonly id: string;
  /** Default `Healthy`; any other text means that it is not. */
  readonly health?: string;
  readonly numaNodes?: readonly number[];
}

type Answer<T> = T | Promise<T>;

export interface TestDevicePluginOptions {
  readonly resourceName: string;
  readonly devices?: readonly TestDevice[];
  /** File name of the socket. Default: the resource's name with `-` for `/`, and `.sock`. */
  readonly endpoint?: string;
  readonly allocate?: (deviceIds: readonly string[]) => Answer<DeepPartial<ContainerAllocateResponse>>;
  readonly preferredAllocation?: (
    available: readonly string[],
    mustInclude: readonly string[],
    size: number,
  ) => Answer<readonly string[]>;
  readonly preStart?: (deviceIds: readonly string[]) => Answer<void>;
}

type DeviceStream = ServerWritableStream<Empty, DeepPartial<ListAndWatchResponse>>;

/** A device plugin, v1beta1, over the real sockets. */
export class TestDevicePlugin {
  /** Ids of each Allocate call, in the order of the calls. */
  readonly allocations: (readonly string[])[] = [];
  /** How often it was registered. */
  registrations = 0;
  private devices: readonly TestDevice[];
  private readonly streams = new Set<DeviceStream>();
  private server: SocketServer | undefined;
  private watcher: FSWatcher | undefined;
  private again: Promise<void> = Promise.resolve();

  constructor(private readonly options: TestDevicePluginOptions) {
    this.devices = options.devices ?? [];
  }

  get endpoint(): string {
    return this.options.endpoint ?? `${this.options.resourceName.replaceAll('/', '-')}.sock`;
  }

  /** Serves on its socket in the folder, without telling anybody. */
  async listen(directory: string): Promise<void> {
    const { allocate, preferredAllocation, preStart } = this.options;
    const server = new SocketServer(path.join(directory, this.endpoint));
    server.unary(methods.getDevicePluginOptions, () => ({
      preStartRequired: preStart !== undefined,
      getPreferredAllocationAvailable: preferredAllocation !== undefined,
    }));
    server.stream(methods.listAndWatch, (stream) => this.open(stream));
    server.unary(methods.allocate, async ({ containerRequests }) => {
      const answers: DeepPartial<ContainerAllocateResponse>[] = [];
      for (const { devicesIds } of containerRequests) {
        this.allocations.push([...devicesIds].sort());
        answers.push((await allocate?.(devicesIds)) ?? {});
      }
      return { containerResponses: answers };
    });
    server.unary(methods.getPreferredAllocation, async ({ containerRequests }) => ({
      containerResponses: await Promise.all(
        containerRequests.map(async ({ availableDeviceIDs, mustIncludeDeviceIDs, allocationSize }) => ({
          deviceIDs: [
            ...((await preferredAllocation?.(availableDeviceIDs, mustIncludeDeviceIDs, allocationSize)) ?? []),
          ],
        })),
      ),
    }));
    server.unary(methods.preStartContainer, async ({ devicesIds }) => {
      await preStart?.(devicesIds);
      return {};
    });
    await server.listen();
    this.server = server;
  }

  /** Tells the kubelet in the folder of itself. Rejects with what the kubelet says. */
  async register(
    directory: string,
    request: { readonly version?: string; readonly endpoint?: string } = {},
  ): Promise<void> {
    const client = new Client(`unix:${path.join(directory, 'kubelet.sock')}`, credentials.createInsecure(), {
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_channelz': 0,
    });
    const { path: rpc, encode, decode } = registrationMethods.register;
    const { resourceName } = this.options;
    const message = { version: 'v1beta1', endpoint: this.endpoint, resourceName, ...request };
    try {
      await new Promise<void>((resolve, reject) => {
        client.makeUnaryRequest(rpc, encode, decode, message, (error: ServiceError | null) =>
          error === null ? resolve() : reject(error),
        );
      });
      this.registrations++;
    } finally {
      client.close();
    }
  }

  /**
   * Serves and registers, and does so again whenever the kubelet's socket appears: a kubelet that starts forgets its plugins
   * and removes their sockets. A kubelet that is not there yet is waited for.
   */
  async attach(directory: string, onError: (error: unknown) => void = () => undefined): Promise<void> {
    const kubeletSocket = path.join(directory, 'kubelet.sock');
    const join = async (): Promise<void> => {
      await access(kubeletSocket);
      await this.server?.close();
      await this.listen(directory);
      await this.register(directory);
    };
    const rejoin = (): Promise<void> => (this.again = this.again.then(join).catch(onError));
    this.watcher = watch(directory, (_kind, name) => {
      if (name === 'kubelet.sock') void rejoin();
    });
    await rejoin();
  }

  setDevices(devices: readonly TestDevice[]): void {
    this.devices = devices;
    for (const stream of this.streams) stream.write(this.list());
  }

  /** Ends the streams of devices; the rest goes on. */
  endStreams(): void {
    for (const stream of this.streams) stream.end();
  }

  async stop(options: { readonly keepSocket?: boolean } = {}): Promise<void> {
    this.watcher?.close();
    await this.again;
    await this.server?.close(options);
    this.server = undefined;
  }

  private open(stream: DeviceStream): void {
    this.streams.add(stream);
    const forget = (): void => void this.streams.delete(stream);
    stream.on('cancelled', forget);
    stream.on('close', forget);
    stream.write(this.list());
  }

  private list(): DeepPartial<ListAndWatchResponse> {
    return {
      devices: this.devices.map(({ id, health = 'Healthy', numaNodes }) => ({
        ID: id,
        health,
        ...(numaNodes !== undefined && { topology: { nodes: numaNodes.map((node) => ({ ID: BigInt(node) })) } }),
      })),
    };
  }
}
