import { access } from 'node:fs/promises';
import path from 'node:path';
import type { NetworkInterfaceSample } from '@podwright/cgroup-stats-interface';

export interface NetworkRates {
  readonly networkRxBytesPerSecond?: number;
  readonly networkTxBytesPerSecond?: number;
}

interface Counters {
  readonly atMs: number;
  readonly rx: number;
  readonly tx: number;
}

/** Whether an interface is a device, of hardware or of a hypervisor: what goes through a bridge goes through one, too. */
export type IsDevice = (name: string) => Promise<boolean>;

export const devicesBelow =
  (hostRoot: string): IsDevice =>
  (name) =>
    access(path.join(hostRoot, 'sys/class/net', name, 'device')).then(
      () => true,
      () => false,
    );

/** Bytes per second from the counters of two readings, over the interfaces that are devices; over all when none is. */
export class NetworkRate {
  private before: Counters | undefined;
  private readonly devices = new Map<string, boolean>();

  constructor(private readonly isDevice: IsDevice) {}

  /** `atMs`: monotonic. */
  async next(interfaces: readonly NetworkInterfaceSample[], atMs: number): Promise<NetworkRates> {
    for (const { name } of interfaces) {
      if (!this.devices.has(name)) this.devices.set(name, await this.isDevice(name));
    }
    const devices = interfaces.filter(({ name }) => this.devices.get(name) === true);
    const counted = devices.length > 0 ? devices : interfaces;
    const now = {
      atMs,
      rx: counted.reduce((sum, { rxBytes }) => sum + rxBytes, 0),
      tx: counted.reduce((sum, { txBytes }) => sum + txBytes, 0),
    };
    const { before } = this;
    this.before = now;
    // Counters fall when an interface goes.
    if (before === undefined || now.rx < before.rx || now.tx < before.tx || atMs <= before.atMs) return {};
    const seconds = (atMs - before.atMs) / 1000;
    return {
      networkRxBytesPerSecond: Math.round((now.rx - before.rx) / seconds),
      networkTxBytesPerSecond: Math.round((now.tx - before.tx) / seconds),
    };
  }
}
