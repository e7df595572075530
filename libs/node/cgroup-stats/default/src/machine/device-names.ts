import type { Clock } from '@podwright/time';
import { readSmallFile } from '../read/small-file.js';

// A disk that is plugged in later gets its name within this time.
const refreshMs = 60_000;
const ignored = /^(?:loop|ram|sr)/;

/**
 * Names of disks by their numbers. An unknown device triggers a refresh of the list, but its name is only available to
 * a later reading. Source: google/cadvisor v0.56 utils/sysinfo GetBlockDeviceInfo, container/common/helpers.go
 * DeviceName.
 */
export class DeviceNames {
  private names: ReadonlyMap<string, string> = new Map();
  private readAt: number | undefined;

  constructor(
    private readonly diskStatsFile: string,
    private readonly clock: Clock,
  ) {}

  nameOf(major: number, minor: number): string {
    return this.names.get(`${major}:${minor}`) ?? '';
  }

  /** Reads the list again if it is old. */
  async refresh(): Promise<void> {
    const now = this.clock.monotonic();
    if (this.readAt !== undefined && now - this.readAt < refreshMs) return;
    this.readAt = now;
    const text = (await readSmallFile(this.diskStatsFile)) ?? '';
    const names = text.split('\n').flatMap((line): [string, string][] => {
      const [major, minor, name] = line.trim().split(/\s+/);
      return name === undefined || ignored.test(name) ? [] : [[`${major}:${minor}`, `/dev/${name}`]];
    });
    this.names = new Map(names);
  }
}
