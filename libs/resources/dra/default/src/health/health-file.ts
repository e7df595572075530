import { createCheckpointStore, type CheckpointStore } from '@podwright/checkpoint';
import { KubeletError, messageOf } from '@podwright/errors';
import { goJson, goMap, isJsonObject, type JsonObject } from '@podwright/kube-types';
import { formatRfc3339, parseRfc3339 } from '@podwright/time';
import type { DeviceReport, ReportedHealth } from './device-report.js';
import type { DriverHealth } from './health-cache.js';

const fileName = 'dra_health_state';

interface FileDevice {
  readonly PoolName: string;
  readonly DeviceName: string;
  readonly Health: string;
  readonly LastUpdated: string;
  /** Nanoseconds. */
  readonly HealthCheckTimeout: number;
  readonly Message: string;
}
type StoredReport = DeviceReport & { readonly lastUpdatedMs: number };

/** The file of the devices' health, in upstream's format. Source: kubernetes v1.36 pkg/kubelet/cm/dra/healthinfo.go. */
export class HealthFile {
  private readonly store: CheckpointStore;

  constructor(directory: string) {
    this.store = createCheckpointStore(directory);
  }

  /** Rejects with `not-found` for a missing file, with `data-loss` for one that no kubelet wrote. */
  async read(): Promise<ReadonlyMap<string, readonly StoredReport[]>> {
    await this.store.removeLeftovers(fileName);
    return decodeHealthFile(await this.store.read(fileName));
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

/** The reports in the file, by driver. Throws `data-loss` that names the field. */
export function decodeHealthFile(text: string): ReadonlyMap<string, readonly StoredReport[]> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw malformed(messageOf(cause), cause);
  }
  const drivers = Object.entries(objectAt(content, 'it'));
  return new Map(
    drivers.map(([driver, entry]) => [
      driver,
      Object.entries(objectAt(objectAt(entry, driver)['Devices'], `${driver}.Devices`)).map(([key, device]) =>
        storedReport(objectAt(device, key), key),
      ),
    ]),
  );
}

// Go reads null as an empty map or struct.
function objectAt(value: unknown, path: string): JsonObject {
  const object = value ?? {};
  if (!isJsonObject(object)) throw malformed(`${path} is no object`);
  return object;
}

function storedReport(device: JsonObject, key: string): StoredReport {
  const text = (name: keyof FileDevice): string => {
    const value = device[name] ?? '';
    if (typeof value !== 'string') throw malformed(`${key}.${name} is no text`);
    return value;
  };
  const timeout = device['HealthCheckTimeout'] ?? 0;
  if (typeof timeout !== 'number') throw malformed(`${key}.HealthCheckTimeout is no number`);
  return {
    poolName: text('PoolName'),
    deviceName: text('DeviceName'),
    health: known.includes(text('Health')) ? (text('Health') as ReportedHealth) : 'Unknown',
    lastUpdatedMs: parseRfc3339(text('LastUpdated')) ?? 0,
    timeoutMs: Math.round(timeout / 1_000_000),
    message: text('Message'),
  };
}

const malformed = (problem: string, cause?: unknown): KubeletError =>
  new KubeletError(`${fileName} is malformed: ${problem}`, { code: 'data-loss', cause });
