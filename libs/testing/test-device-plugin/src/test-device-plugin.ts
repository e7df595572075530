import { watch, type FSWatcher } from 'node:fs';
import { access, rm } from 'node:fs/promises';
import path from 'node:path';
import { Client, credentials, type ServerWritableStream, type ServiceError } from '@grpc/grpc-js';
import type { ContainerAllocateResponse, Empty, ListAndWatchResponse } from '@podwright/device-manager-interface';
import { isMissing } from '@podwright/errors';
import { SocketServer } from '@podwright/grpc';
import type { DeepPartial } from '@podwright/protobuf-wire';
import { createSystemClock } from '@podwright/time';
import { registrationMethods } from './generated/device-plugin-client-codecs.js';
import { devicePluginMethods as methods } from './generated/device-plugin-server-codecs.js';

export interface TestDevice {
  readonly id: string;
  /** Default `Healthy`; with any other text the device is unhealthy. */
  readonly health?: string;
  readonly numaNodes?: readonly number[];
}

type Answer<T> = T | Promise<T>;

export interface TestDevicePluginOptions {
  readonly resourceName: string;
  readonly devices?: readonly TestDevice[];
  /** File name of the socket. Default: the resource's name with `-` instead of `/`, and `.sock`. */
  readonly endpoint?: string;
  readonly allocate?: (deviceIds: readonly string[]) => Answer<DeepPartial<ContainerAllocateResponse>>;
  readonly preferredAllocation?: (
    available: readonly string[],
    mustInclude: readonly string[],
    size: number,
  ) => Answer<readonly string[]>;
  readonly preStart?: (deviceIds: readonly string[]) => Answer<void>;
  /** Runs before the first list of each ListAndWatch, which fails when it rejects. */
  readonly beforeList?: () => Answer<void>;
}

type DeviceStream = ServerWritableStream<Empty, DeepPartial<ListAndWatchResponse>>;

/** A v1beta1 device plugin on real sockets. */
export class TestDevicePlugin {
  /** The device ids of each Allocate call, in order. */
  readonly allocations: (readonly string[])[] = [];
  /** How often it has registered. */
  registrations = 0;
  /** How often the kubelet has called ListAndWatch. */
  listings = 0;
  private devices: readonly TestDevice[];
  private readonly streams = new Set<DeviceStream>();
  private server: SocketServer | undefined;
  private watcher: FSWatcher | undefined;
  private again: Promise<void> = Promise.resolve();
  private readonly clock = createSystemClock();
  private stopping = new AbortController();

  constructor(private readonly options: TestDevicePluginOptions) {
    this.devices = options.devices ?? [];
  }

  get endpoint(): string {
    return this.options.endpoint ?? `${this.options.resourceName.replaceAll('/', '-')}.sock`;
  }

  /** Serves on its socket in the folder, without registering. */
  async listen(directory: string): Promise<void> {
    const { allocate, preferredAllocation, preStart } = this.options;
    const server = new SocketServer(path.join(directory, this.endpoint));
    server.unary(methods.getDevicePluginOptions, () => ({
      preStartRequired: preStart !== undefined,
      getPreferredAllocationAvailable: preferredAllocation !== undefined,
    }));
    server.stream(methods.listAndWatch, (stream: DeviceStream) => this.open(stream));
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

  /** Registers with the kubelet whose socket is in the folder. Rejects with the kubelet's error. */
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
   * Serves and registers whenever the kubelet's socket appears, now or later: a kubelet that starts forgets its plugins
   * and removes their sockets.
   */
  async attach(directory: string, onError: (error: unknown) => void = () => undefined): Promise<void> {
    this.stopping = new AbortController();
    const kubeletSocket = path.join(directory, 'kubelet.sock');
    const join = async (): Promise<void> => {
      await access(kubeletSocket);
      await this.close();
      await this.listen(directory);
      await this.register(directory);
    };
    const joinWhileThere = async (): Promise<void> => {
      // The socket may exist a moment before the kubelet answers, and no event follows when it does.
      for (let attempt = 0; attempt < 50 && !this.stopping.signal.aborted; attempt++) {
        try {
          return await join();
        } catch (error) {
          onError(error);
          if (isMissing(error)) return;
        }
        await this.clock.sleep(200, this.stopping.signal).catch(() => undefined);
      }
    };
    const rejoin = (): Promise<void> => (this.again = this.again.then(joinWhileThere));
    this.watcher = watch(directory, (_kind, name) => {
      if (name === 'kubelet.sock') void rejoin();
    });
    await rejoin();
  }

  setDevices(devices: readonly TestDevice[]): void {
    this.devices = devices;
    for (const stream of this.streams) stream.write(this.list());
  }

  /** Ends the ListAndWatch streams; the plugin keeps serving. */
  endStreams(): void {
    for (const stream of this.streams) stream.end();
  }

  async stop(options: { readonly keepSocket?: boolean } = {}): Promise<void> {
    this.watcher?.close();
    this.stopping.abort();
    await this.again;
    await this.close(options);
  }

  private async close({ keepSocket = false }: { readonly keepSocket?: boolean } = {}): Promise<void> {
    const { server } = this;
    this.server = undefined;
    server?.close();
    if (server !== undefined && !keepSocket) await rm(server.socket, { force: true });
  }

  private async open(stream: DeviceStream): Promise<void> {
    this.listings++;
    await this.options.beforeList?.();
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
