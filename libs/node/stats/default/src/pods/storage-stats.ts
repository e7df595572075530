import type { ContainerStats, FsStats, VolumeStats } from '@podwright/stats-interface';
import type { CountedUsage, FileSystemNumbers, FolderUsage } from '../disk-usage/disk-usage.js';
import { newerTime } from '../readings/wire-time.js';

/** Numbers of a file system and when they were read. */
export interface FileSystemReading extends FileSystemNumbers {
  readonly time: string;
}

/** Capacity and free space, without usage. */
export function freeOf(found: FileSystemNumbers): Omit<FsStats, 'time'> {
  const { availableBytes, capacityBytes, inodesFree, inodes } = found;
  return { availableBytes, capacityBytes, inodesFree, inodes };
}

/** Usage of files on the root file system, counted at `time`. Undefined without files, as upstream. */
export function filesStats(rootFs: FileSystemReading, usage: CountedUsage, time: string): FsStats {
  const free = freeOf(rootFs);
  if (usage.inodes === 0) return { time: rootFs.time, ...free };
  return { time: newerTime(rootFs.time, time), ...free, usedBytes: usage.bytes, inodesUsed: usage.inodes };
}

/** Bytes of all files in the direct subfolders. */
export function bytesBelow(usage: FolderUsage | undefined): number {
  return Object.values(usage?.folders ?? {}).reduce((sum, { bytes }) => sum + bytes, 0);
}

export interface EphemeralStorage {
  readonly rootFs: FileSystemReading;
  readonly containers: readonly ContainerStats[];
  /** The pod's local ephemeral volumes. */
  readonly volumes: readonly VolumeStats[];
  /** Files in the pod's own log directory. */
  readonly podLogs: FsStats | undefined;
  readonly etcHosts: FsStats | undefined;
  /** Bytes alone: a container cannot create more of these files. */
  readonly terminationLogBytes: number;
  /** Whether the inodes of logs count: only if they were counted separately from those of the file system. */
  readonly countsLogInodes: boolean;
}

/** The sum of a pod's ephemeral storage. Source: kubernetes v1.36 pkg/kubelet/stats/helper.go calcEphemeralStorage. */
export function ephemeralStorage(parts: EphemeralStorage): FsStats {
  const { rootFs, containers, volumes, podLogs, etcHosts, terminationLogBytes, countsLogInodes } = parts;
  let { time } = rootFs;
  let usedBytes: number | undefined;
  let inodesUsed: number | undefined;
  const add = (used: FsStats | undefined, countsInodes = true): void => {
    if (used === undefined) return;
    time = newerTime(time, used.time);
    if (used.usedBytes !== undefined) usedBytes = (usedBytes ?? 0) + used.usedBytes;
    if (countsInodes && used.inodesUsed !== undefined) inodesUsed = (inodesUsed ?? 0) + used.inodesUsed;
  };
  for (const { rootfs, logs } of containers) {
    add(rootfs);
    add(logs, countsLogInodes);
  }
  for (const volume of volumes) add(volume);
  add(podLogs);
  add(etcHosts);
  if (terminationLogBytes > 0) usedBytes = (usedBytes ?? 0) + terminationLogBytes;
  return {
    time,
    ...freeOf(rootFs),
    ...(usedBytes !== undefined && { usedBytes }),
    ...(inodesUsed !== undefined && { inodesUsed }),
  };
}
