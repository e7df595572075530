import type { Clock } from '@podwright/time';
import { defaultTimeoutMs, type DeviceReport, type ReportedHealth } from './device-report.js';

export interface DeviceState extends DeviceReport {
  /** Wall-clock milliseconds, for the file. */
  readonly lastUpdatedMs: number;
  /** Monotonic milliseconds; before the start of this process for what the file had. */
  readonly heardMs: number;
}

export type DriverHealth = ReadonlyMap<string, DeviceState>;

export interface HealthLimits {
  readonly maxDriverHealthDevices: number;
  readonly maxHealthDevices: number;
}

export interface HealthUpdate {
  /** Those whose health, message or timeout is another. */
  readonly changed: readonly DeviceReport[];
  /** How many devices of the list there was no room for. */
  readonly omitted: number;
}

/** The API allows 253 characters for the pool and 63 for the device; no claim can have one of a longer name. */
const longestKey = 253 + 1 + 63;

const keyOf = ({ poolName, deviceName }: Pick<DeviceReport, 'poolName' | 'deviceName'>): string =>
  `${poolName}/${deviceName}`;

/**
 * The health of the devices of each driver. A device that the driver leaves out is forgotten when its report is no
 * longer believed: like one that was never reported, it is Unknown. When there are too many, those that were not heard of
 * for the longest time are forgotten first. Source: kubernetes v1.36 pkg/kubelet/cm/dra/healthinfo.go.
 */
export class HealthCache {
  private readonly drivers = new Map<string, Map<string, DeviceState>>();

  constructor(
    private readonly clock: Pick<Clock, 'now' | 'monotonic'>,
    private readonly limits: HealthLimits,
  ) {}

  /** Takes over what an earlier process knew and is still believed. Returns how many devices there was no room for. */
  restore(driver: string, stored: readonly (DeviceReport & { readonly lastUpdatedMs: number })[]): number {
    const [nowMs, monotonicMs] = [this.clock.now(), this.clock.monotonic()];
    const devices = new Map<string, DeviceState>();
    for (const device of stored) {
      const state = { ...device, heardMs: monotonicMs - Math.max(0, nowMs - device.lastUpdatedMs) };
      if (!this.isStale(state)) devices.set(keyOf(device), state);
    }
    const dropped = this.excess(driver, devices);
    for (const key of dropped) devices.delete(key);
    if (devices.size > 0) this.drivers.set(driver, devices);
    return dropped.length;
  }

  all(): ReadonlyMap<string, DriverHealth> {
    return this.drivers;
  }

  /** Takes a full list of the driver. */
  update(driver: string, reports: readonly DeviceReport[]): HealthUpdate {
    const before = this.drivers.get(driver) ?? new Map<string, DeviceState>();
    const devices = new Map(before);
    this.drivers.set(driver, devices);
    const seen = { lastUpdatedMs: this.clock.now(), heardMs: this.clock.monotonic() };
    const changed = new Map<string, DeviceReport>();
    const reported = new Set<string>();
    for (const report of reports) {
      const key = keyOf(report);
      const known = before.get(key);
      if (known === undefined || differ(known, report)) changed.set(key, report);
      // What was heard of last comes last.
      devices.delete(key);
      devices.set(key, { ...report, ...seen });
      reported.add(key);
    }
    for (const [key, device] of devices) if (this.isStale(device)) devices.delete(key);
    const dropped = this.excess(driver, devices);
    for (const key of dropped) devices.delete(key);
    for (const [key, device] of before) {
      if (!devices.has(key) && device.health !== 'Unknown')
        changed.set(key, { ...device, health: 'Unknown', message: '' });
    }
    for (const key of dropped) if (!before.has(key)) changed.delete(key);
    return { changed: [...changed.values()], omitted: dropped.filter((key) => reported.has(key)).length };
  }

  /** Returns whether there was something. */
  clear(driver: string): boolean {
    const { size = 0 } = this.drivers.get(driver) ?? {};
    this.drivers.delete(driver);
    return size > 0;
  }

  of(
    driver: string,
    device: Pick<DeviceReport, 'poolName' | 'deviceName'>,
  ): { readonly health: ReportedHealth; readonly message: string } {
    const known = this.drivers.get(driver)?.get(keyOf(device));
    return known === undefined || this.isStale(known) ? { health: 'Unknown', message: '' } : known;
  }

  /** The devices that there is no room for. */
  private excess(driver: string, devices: DriverHealth): readonly string[] {
    const { maxDriverHealthDevices, maxHealthDevices } = this.limits;
    let others = 0;
    for (const [name, { size }] of this.drivers) if (name !== driver) others += size;
    const [usable, tooLong] = [[] as string[], [] as string[]];
    for (const key of devices.keys()) (key.length > longestKey ? tooLong : usable).push(key);
    const room = Math.min(maxDriverHealthDevices, Math.max(0, maxHealthDevices - others));
    return [...tooLong, ...usable.slice(0, Math.max(0, usable.length - room))];
  }

  private isStale({ heardMs, timeoutMs }: DeviceState): boolean {
    return this.clock.monotonic() - heardMs > (timeoutMs === 0 ? defaultTimeoutMs : timeoutMs);
  }
}

const differ = (a: DeviceReport, b: DeviceReport): boolean =>
  a.health !== b.health || a.message !== b.message || a.timeoutMs !== b.timeoutMs;
