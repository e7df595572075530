import { mountOf, readMountTable, type MountEntry } from '@podwright/filesystem';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { readSmallFile } from '../read/small-file.js';

/** I/O counters of a disk since boot: one line of /proc/diskstats. */
export interface DiskCounters {
  readonly reads: number;
  readonly readsMerged: number;
  readonly sectorsRead: number;
  readonly readMs: number;
  readonly writes: number;
  readonly writesMerged: number;
  readonly sectorsWritten: number;
  readonly writeMs: number;
  readonly inProgress: number;
  readonly ioMs: number;
  readonly weightedIoMs: number;
}

export interface FileSystemSample {
  /** Source of the mount; for a tmpfs its mount point. */
  readonly device: string;
  readonly capacityBytes: number;
  readonly freeBytes: number;
  readonly inodes: number;
  readonly inodesFree: number;
  /** Undefined for a file system that is on no disk. */
  readonly disk?: DiskCounters;
}

interface Partition {
  readonly device: string;
  readonly mountPoint: string;
  readonly numbers: string;
}

// Unlike upstream without NFS: a server that does not answer would block one of the few threads that read files.
const fileSystemTypes =
  /^(?:ext.*|xfs|squashfs|f2fs|jfs|reiserfs|hfs|hfsplus|ntfs|vfat|fat|msdos|exfat|udf|iso9660|btrfs|zfs|overlay|tmpfs)$/;
// Mounts of containers come and go: a kubelet that starts with the machine sees none of them, a restarted one sees all.
const containerMount =
  /\/io\.containerd\.|\/overlay-containers\/|\/overlay\/[0-9a-f]{64}\/merged$|\/docker\/(?:overlay2|containers)\/|\/volumes\/kubernetes\.io~/;
const mostPartitions = 256;

/**
 * The file systems mounted when the kubelet started, as upstream, without those of pods and containers. Source:
 * google/cadvisor v0.56 fs/fs.go, fs/vfs, fs/overlay, fs/tmpfs.
 */
export class FileSystems {
  private partitions: readonly Partition[] = [];
  /** Pending calls: a file system that does not answer gets no second call. */
  private readonly asked = new Map<string, Promise<unknown>>();

  constructor(
    private readonly proc: string,
    private readonly rootDir: string,
  ) {}

  async start(): Promise<void> {
    this.partitions = partitionsOf(await this.mounts(), this.rootDir);
  }

  /** Sorted by device; omits file systems that cannot be read. */
  async read(): Promise<readonly FileSystemSample[]> {
    const disks = parseDiskStats((await readSmallFile(path.join(this.proc, 'diskstats'))) ?? '');
    const samples = await Promise.all(this.partitions.map((partition) => this.sample(partition, disks)));
    return samples.filter((sample) => sample !== undefined);
  }

  /** That of a folder, without its disk; undefined when it cannot be read. */
  async of(folder: string): Promise<FileSystemSample | undefined> {
    const mount = mountOf(folder, await this.mounts());
    const partition = this.partitions.find(({ numbers }) => numbers === mount?.device);
    return partition && this.sample(partition, new Map());
  }

  private mounts(): Promise<readonly MountEntry[]> {
    return readMountTable(path.join(this.proc, 'self/mountinfo'));
  }

  private async sample(
    { device, mountPoint, numbers }: Partition,
    disks: ReadonlyMap<string, DiskCounters>,
  ): Promise<FileSystemSample | undefined> {
    if (this.asked.has(mountPoint)) return undefined;
    const asking = statfs(mountPoint).catch(() => undefined);
    this.asked.set(mountPoint, asking);
    const found = await asking;
    this.asked.delete(mountPoint);
    if (found === undefined) return undefined;
    const disk = disks.get(device) ?? disks.get(numbers);
    return {
      device,
      capacityBytes: found.blocks * found.bsize,
      freeBytes: found.bfree * found.bsize,
      inodes: found.files,
      inodesFree: found.ffree,
      ...(disk !== undefined && { disk }),
    };
  }
}

/** One mount per device; a mount at `/` takes precedence over others of its device. */
export function partitionsOf(mounts: readonly MountEntry[], rootDir: string): readonly Partition[] {
  const podMounts = `${path.join(rootDir, 'pods')}/`;
  const partitions = new Map<string, Partition>();
  for (const mount of mounts) {
    const { device: numbers, mountPoint, fsType, source } = mount;
    if (!fileSystemTypes.test(fsType) || mountPoint.startsWith(podMounts) || containerMount.test(mountPoint)) continue;
    const device = mountPoint === '/' ? source : deviceOf(mount);
    if (partitions.has(device) && mountPoint !== '/' && fsType !== 'tmpfs') continue;
    partitions.set(device, { device, mountPoint, numbers });
    if (partitions.size >= mostPartitions) break;
  }
  return [...partitions.values()].sort((left, right) => (left.device < right.device ? -1 : 1));
}

function deviceOf({ fsType, source, mountPoint, device }: MountEntry): string {
  if (fsType === 'tmpfs') return mountPoint;
  return fsType === 'overlay' ? `${source}_${device.replace(':', '-')}` : source;
}

/** Counters by device name, `/dev/vda`, and by numbers, `254:0`. */
export function parseDiskStats(text: string): ReadonlyMap<string, DiskCounters> {
  const disks = new Map<string, DiskCounters>();
  for (const line of text.split('\n')) {
    const [major, minor, name, ...words] = line.trim().split(/\s+/);
    if (name === undefined || words.length < 11) continue;
    const [reads, readsMerged, sectorsRead, readMs, writes, writesMerged, sectorsWritten, writeMs, ...rest] = words.map(
      Number,
    ) as [number, number, number, number, number, number, number, number, number, number, number];
    const [inProgress, ioMs, weightedIoMs] = rest;
    const disk = {
      ...{ reads, readsMerged, sectorsRead, readMs, writes, writesMerged, sectorsWritten, writeMs },
      ...{ inProgress, ioMs, weightedIoMs },
    };
    disks.set(`/dev/${name}`, disk);
    disks.set(`${major}:${minor}`, disk);
  }
  return disks;
}
