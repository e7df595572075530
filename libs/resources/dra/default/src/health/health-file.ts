import { createCheckpointStore, type CheckpointStore } from '@podwright/checkpoint';
import { goJson, goMap } from '@podwright/kube-types';
import { formatRfc3339, parseRfc3339 } from '@podwright/time';
import type { DeviceReport, ReportedHealth } from './device-report.js';
import type { DriverHealth } from './health-cache.js';

const fileName = 'dra_health_state';

interface FileDevice {
  readonly PoolName?: string;
  readonly DeviceName?: string;
  readonly Health?: string;
  readonly LastUpdated?: string;
  /** Nanoseconds. */
  readonly HealthCheckTimeout?: number;
  readonly Message?: string;
}
type FileContent = Readonly<Record<string, { readonly Devices?: Readonly<Record<string, FileDevice>> | null }>>;
type StoredReport = DeviceReport & { readonly lastUpdatedMs: number };

/** The file of the devices' health, in upstream's format. Source: kubernetes v1.36 pkg/kubelet/cm/dra/healthinfo.go. */
export class HealthFile {
  private readonly store: CheckpointStore;

  constructor(directory: string) {
    this.store = createCheckpointStore(directory);
  }

  /** Rejects with `not-found` for a missing file, and when it is not JSON. */
  async read(): Promise<ReadonlyMap<string, readonly StoredReport[]>> {
    await this.store.removeLeftovers(fileName);
    const content = JSON.parse(await this.store.read(fileName)) as FileContent;
    return new Map(
      Object.entries(content).map(([driver, { Devices }]) => [driver, Object.values(Devices ?? {}).map(storedReport)]),
    );
  }

  async write(drivers: ReadonlyMap<string, DriverHealth>): Promise<void> {
    const content = goMap([...drivers].map(([driver, devices]) => [driver, { Devices: fileDevices(devices) }]));
    await this.store.write(fileName, goJson(content));
  }
}

const fileDevices = (devices: DriverHealth): Readonly<Record<string, FileDevice>> =>
  goMap(
    [...devices].map(([key, { poolName, deviceName, health, lastUpdatedMs, timeoutMs, message }]) => [
      key,
      {
        PoolName: poolName,
        DeviceName: deviceName,
        Health: health,
        LastUpdated: formatRfc3339(lastUpdatedMs, 9),
        HealthCheckTimeout: timeoutMs * 1_000_000,
        Message: message,
      },
    ]),
  );

const known: readonly string[] = ['Healthy', 'Unhealthy'] satisfies readonly ReportedHealth[];

const storedReport = (device: FileDevice): StoredReport => ({
  poolName: device.PoolName ?? '',
  deviceName: device.DeviceName ?? '',
  health: known.includes(device.Health ?? '') ? (device.Health as ReportedHealth) : 'Unknown',
  lastUpdatedMs: parseRfc3339(device.LastUpdated ?? '') ?? 0,
  timeoutMs: Math.round((device.HealthCheckTimeout ?? 0) / 1_000_000),
  message: device.Message ?? '',
});
