import type { BlockDeviceSample, OperationCounts } from '@podwright/cgroup-stats-interface';
import { type ContainerMetric, type ContainerValue, type ScrapedCgroup } from './container-metric.js';
import type { DiskCounters, FileSystemSample } from './file-systems.js';

const msPerSecond = 1000;
const nsPerSecond = 1e9;
const usPerSecond = 1e6;

type Counts = (device: BlockDeviceSample) => number | undefined;
type Disk = (disk: DiskCounters) => number;

/** Block I/O of cgroups and their file systems; for `/` also that of the disks of mounted file systems. */
export const diskMetrics: readonly ContainerMetric[] = [
  usage('inodes_free', 'Number of available Inodes', ({ inodesFree }) => inodesFree),
  usage('inodes_total', 'Number of Inodes', ({ inodes }) => inodes),
  usage(
    'limit_bytes',
    'Number of bytes that can be consumed by the container on this filesystem.',
    ({ capacityBytes }) => capacityBytes,
  ),
  usage(
    'usage_bytes',
    'Number of bytes that are consumed by the container on this filesystem.',
    ({ capacityBytes, freeBytes }) => capacityBytes - freeBytes,
  ),
  io('reads_bytes_total', 'Cumulative count of bytes read', count('serviceBytes', 'Read')),
  io('reads_total', 'Cumulative count of reads completed', count('serviced', 'Read'), (disk) => disk.reads),
  io(
    'sector_reads_total',
    'Cumulative count of sector reads completed',
    count('sectors', 'Read'),
    (disk) => disk.sectorsRead,
  ),
  io('reads_merged_total', 'Cumulative count of reads merged', count('merged', 'Read'), (disk) => disk.readsMerged),
  io(
    'read_seconds_total',
    'Cumulative count of seconds spent reading',
    count('serviceTimeNs', 'Read', nsPerSecond),
    (disk) => disk.readMs / msPerSecond,
  ),
  io('writes_bytes_total', 'Cumulative count of bytes written', count('serviceBytes', 'Write')),
  io('writes_total', 'Cumulative count of writes completed', count('serviced', 'Write'), (disk) => disk.writes),
  io(
    'sector_writes_total',
    'Cumulative count of sector writes completed',
    count('sectors', 'Write'),
    (disk) => disk.sectorsWritten,
  ),
  io('writes_merged_total', 'Cumulative count of writes merged', count('merged', 'Write'), (disk) => disk.writesMerged),
  io(
    'write_seconds_total',
    'Cumulative count of seconds spent writing',
    count('serviceTimeNs', 'Write', nsPerSecond),
    (disk) => disk.writeMs / msPerSecond,
  ),
  {
    ...io('io_current', 'Number of I/Os currently in progress', count('queued', 'Total'), (disk) => disk.inProgress),
    type: 'gauge',
  },
  io(
    'io_time_seconds_total',
    'Cumulative count of seconds spent doing I/Os',
    count('serviceTimeNs', 'Total', nsPerSecond),
    (disk) => disk.ioMs / msPerSecond,
  ),
  io(
    'io_time_weighted_seconds_total',
    'Cumulative weighted I/O time in seconds',
    () => undefined,
    (disk) => disk.weightedIoMs / msPerSecond,
  ),
  io('io_cost_usage_seconds_total', 'Cumulative IOCost usage in seconds', cost('usageUs')),
  io('io_cost_wait_seconds_total', 'Cumulative IOCost wait in seconds', cost('waitUs')),
  io('io_cost_indebt_seconds_total', 'Cumulative IOCost debt in seconds', cost('indebtUs')),
  io('io_cost_indelay_seconds_total', 'Cumulative IOCost delay in seconds', cost('indelayUs')),
  {
    name: 'container_blkio_device_usage_total',
    type: 'counter',
    help: 'Blkio Device bytes usage',
    extraLabels: ['device', 'major', 'minor', 'operation'],
    values: ({ sample }) =>
      (sample.io?.devices ?? []).flatMap(({ device, major, minor, serviceBytes = {} }) =>
        Object.entries(serviceBytes).map(([operation, bytes]): ContainerValue => [
          bytes,
          device,
          String(major),
          String(minor),
          operation,
        ]),
      ),
  },
];

function usage(name: string, help: string, value: (fileSystem: FileSystemSample) => number): ContainerMetric {
  return {
    name: `container_fs_${name}`,
    type: 'gauge',
    help,
    extraLabels: ['device'],
    values: ({ fileSystems = [] }) => fileSystems.map((fileSystem) => [value(fileSystem), fileSystem.device]),
  };
}

function io(name: string, help: string, ofDevice: Counts, ofDisk?: Disk): ContainerMetric {
  return {
    name: `container_fs_${name}`,
    type: 'counter',
    help,
    extraLabels: ['device'],
    values: (cgroup) => byDevice(cgroup, ofDevice, ofDisk),
  };
}

/**
 * Per device. A device in both sources shows the cgroup's value only: two series with the same labels would fail the
 * scrape.
 */
function byDevice(
  { sample, fileSystems = [] }: ScrapedCgroup,
  ofDevice: Counts,
  ofDisk?: Disk,
): readonly ContainerValue[] {
  const values = new Map<string, number>();
  for (const device of sample.io?.devices ?? []) {
    const value = ofDevice(device);
    if (value !== undefined && !values.has(device.device)) values.set(device.device, value);
  }
  for (const { device, disk } of ofDisk === undefined ? [] : fileSystems) {
    if (!values.has(device)) values.set(device, disk === undefined ? 0 : (ofDisk as Disk)(disk));
  }
  return [...values].map(([device, value]) => [value, device]);
}

function count(
  table: 'serviceBytes' | 'serviced' | 'sectors' | 'merged' | 'queued' | 'serviceTimeNs',
  operation: string,
  per = 1,
): Counts {
  return (device) => {
    const counts: OperationCounts | undefined = device[table];
    return counts && (counts[operation] ?? 0) / per;
  };
}

function cost(name: 'usageUs' | 'waitUs' | 'indebtUs' | 'indelayUs'): Counts {
  return ({ cost: costs }) => {
    const us = costs?.[name];
    return us === undefined ? undefined : us / usPerSecond;
  };
}
