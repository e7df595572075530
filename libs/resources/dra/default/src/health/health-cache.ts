import type { Clock } from '@podwright/time';
import { defaultTimeoutMs, type DeviceReport, type ReportedHealth } from './device-report.js';

export interface DeviceState extends DeviceReport {
  /** Wall-clock milliseconds, for the file. */
  readonly lastUpdatedMs: number;
  /** Monotonic milliseconds; before the start of this process for what the file had. */
  readonly heardMs: number;
}

export type DriverHealth = ReadonlyMap<string, DeviceState>;

const keyOf = ({ poolName, deviceName }: Pick<DeviceReport, 'poolName' | 'deviceName'>): string =>
  `${poolName}/${deviceName}`;

/** The health of the devices of each driver. Source: kubernetes v1.36 pkg/kubelet/cm/dra/healthinfo.go. */
export class HealthCache {
  private readonly drivers = new Map<string, Map<string, DeviceState>>();

  constructor(private readonly clock: Pick<Clock, 'now' | 'monotonic'>) {}

  /** Takes over what an earlier process knew. */
  restore(driver: string, devices: readonly (DeviceReport & { readonly lastUpdatedMs: number })[]): void {
    const [nowMs, monotonicMs] = [this.clock.now(), this.clock.monotonic()];
    const states = devices.map((device) => {
      const ageMs = Math.max(0, nowMs - device.lastUpdatedMs);
      return [keyOf(device), { ...device, heardMs: monotonicMs - ageMs }] as const;
    });
    this.drivers.set(driver, new Map(states));
  }

  all(): ReadonlyMap<string, DriverHealth> {
    return this.drivers;
  }

  /** Takes a full list of the driver. Returns the devices whose health, message or timeout is another. */
  update(driver: string, reports: readonly DeviceReport[]): readonly DeviceReport[] {
    const devices = this.drivers.get(driver) ?? new Map<string, DeviceState>();
    this.drivers.set(driver, devices);
    const seen = { lastUpdatedMs: this.clock.now(), heardMs: this.clock.monotonic() };
    const changed: DeviceReport[] = [];
    for (const report of reports) {
      const known = devices.get(keyOf(report));
      if (known === undefined || differ(known, report)) changed.push(report);
      devices.set(keyOf(report), { ...report, ...seen });
    }
    const reported = new Set(reports.map(keyOf));
    for (const [key, device] of devices) {
      if (reported.has(key) || device.health === 'Unknown' || !this.isStale(device)) continue;
      const lost: DeviceState = { ...device, ...seen, health: 'Unknown', message: '' };
      devices.set(key, lost);
      changed.push(lost);
    }
    return changed;
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

  private isStale({ heardMs, timeoutMs }: DeviceState): boolean {
    return this.clock.monotonic() - heardMs > (timeoutMs === 0 ? defaultTimeoutMs : timeoutMs);
  }
}

const differ = (a: DeviceReport, b: DeviceReport): boolean =>
  a.health !== b.health || a.message !== b.message || a.timeoutMs !== b.timeoutMs;
