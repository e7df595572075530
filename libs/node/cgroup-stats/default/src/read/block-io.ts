import type { BlockDeviceSample, OperationCounts } from '@podwright/cgroup-stats-interface';

/** Name of a device by its numbers; empty when it has none. */
export type DeviceName = (major: number, minor: number) => string;

type Table = 'serviceBytes' | 'serviced' | 'sectors' | 'merged' | 'queued' | 'serviceTimeNs';
type Draft = { -readonly [K in keyof BlockDeviceSample]: BlockDeviceSample[K] };

/** Collects the lines of several files by device. */
class Devices {
  private readonly drafts = new Map<string, Draft>();

  constructor(private readonly deviceName: DeviceName) {}

  of(major: number, minor: number): Draft {
    const key = `${major}:${minor}`;
    let draft = this.drafts.get(key);
    if (draft === undefined) {
      draft = { major, minor, device: this.deviceName(major, minor) };
      this.drafts.set(key, draft);
    }
    return draft;
  }

  list(): readonly BlockDeviceSample[] {
    return [...this.drafts.values()].filter((draft) => Object.keys(draft).length > 3);
  }
}

/**
 * Parses v1 files into the table that each fills; lines are `8:0 Read 4096`, or `8:0 4096`, which counts as operation
 * `Count`.
 */
export function parseBlkio(
  files: Readonly<Partial<Record<Table, string | undefined>>>,
  deviceName: DeviceName,
): readonly BlockDeviceSample[] {
  const devices = new Devices(deviceName);
  for (const [table, text] of Object.entries(files) as [Table, string | undefined][]) {
    for (const line of (text ?? '').split('\n')) {
      const match = /^(\d+):(\d+) (?:(\S+) )?(\d+)$/.exec(line);
      if (match === null) continue;
      const [, major, minor, operation = 'Count', value] = match;
      const device = devices.of(Number(major), Number(minor));
      device[table] = { ...device[table], [operation]: Number(value) };
    }
  }
  return devices.list();
}

/** Parses io.stat of v2, `8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=5 dios=6 cost.usage=7`, with the names of v1. */
export function parseIoStat(text: string, deviceName: DeviceName): readonly BlockDeviceSample[] {
  const devices = new Devices(deviceName);
  for (const line of text.split('\n')) {
    const [, major, minor, rest = ''] = /^(\d+):(\d+) (.*)$/.exec(line) ?? [];
    if (major === undefined) continue;
    const values = new Map(rest.split(' ').map((item) => item.split('=') as [string, string]));
    const numbers = (names: Readonly<Record<string, string>>): OperationCounts | undefined => {
      const found = Object.entries(names).filter(([, name]) => values.has(name));
      if (found.length === 0) return undefined;
      return Object.fromEntries(found.map(([key, name]) => [key, Number(values.get(name)) || 0]));
    };
    const device = devices.of(Number(major), Number(minor));
    const serviceBytes = numbers({ Read: 'rbytes', Write: 'wbytes' });
    const serviced = numbers({ Read: 'rios', Write: 'wios' });
    const cost = numbers({
      usageUs: 'cost.usage',
      waitUs: 'cost.wait',
      indebtUs: 'cost.indebt',
      indelayUs: 'cost.indelay',
    });
    if (serviceBytes !== undefined) device.serviceBytes = serviceBytes;
    if (serviced !== undefined) device.serviced = serviced;
    if (cost !== undefined) device.cost = cost;
  }
  return devices.list();
}
