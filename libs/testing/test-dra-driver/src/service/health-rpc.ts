import type { ServerWritableStream } from '@grpc/grpc-js';
import {
  HealthStatus,
  type DeviceHealth,
  type NodeWatchResourcesRequest,
  type NodeWatchResourcesResponse,
} from '@podwright/dra-interface';
import type { DeepPartial } from '@podwright/protobuf-wire';
import type { DeviceHealthText } from '../test-dra-device.js';
import type { DraDriverSettings } from '../test-dra-driver-options.js';

export type HealthStream = ServerWritableStream<NodeWatchResourcesRequest, DeepPartial<NodeWatchResourcesResponse>>;

interface Reported {
  readonly health: DeviceHealthText;
  readonly message: string;
}

const wireHealth = {
  Healthy: HealthStatus.HEALTHY,
  Unhealthy: HealthStatus.UNHEALTHY,
  Unknown: HealthStatus.UNKNOWN,
} as const;

type Settings = Pick<DraDriverSettings, 'devices' | 'nodeName' | 'healthTimeoutSeconds' | 'clock'>;

/** The health of all devices, sent in full to each open stream after every change. */
export class HealthRpc {
  private readonly reported = new Map<string, Reported>();
  private readonly streams = new Set<HealthStream>();

  constructor(private readonly settings: Settings) {
    for (const { name } of settings.devices) this.reported.set(name, { health: 'Healthy', message: '' });
  }

  open(stream: HealthStream): void {
    this.streams.add(stream);
    stream.once('cancelled', () => {
      this.streams.delete(stream);
      stream.end();
    });
    stream.write(this.list());
  }

  set(device: string, health: DeviceHealthText, message: string): void {
    if (!this.reported.has(device)) throw new Error(`there is no device ${device}`);
    this.reported.set(device, { health, message });
    this.send();
  }

  /** Sends the list again, so that it counts for another while. */
  send(): void {
    for (const stream of this.streams) stream.write(this.list());
  }

  /** Ends the streams alone; the kubelet opens a new one. */
  endStreams(): void {
    for (const stream of this.streams) stream.end();
    this.streams.clear();
  }

  private list(): DeepPartial<NodeWatchResourcesResponse> {
    const { nodeName, healthTimeoutSeconds, clock } = this.settings;
    const devices = [...this.reported].map(([deviceName, { health, message }]): DeviceHealth => ({
      device: { poolName: nodeName, deviceName },
      health: wireHealth[health],
      lastUpdatedTime: BigInt(Math.floor(clock.now() / 1_000)),
      healthCheckTimeoutSeconds: BigInt(healthTimeoutSeconds),
      message,
    }));
    return { devices };
  }
}
