import { stat, statfs } from 'node:fs/promises';
import { VolumeUsage_Unit as units, type VolumeUsage } from '@podwright/volume-csi-interface';

/** Usage of the volume that is mounted at a path. A raw block device has a total only. */
export async function volumeStats(volumePath: string, capacityBytes: number): Promise<readonly VolumeUsage[]> {
  if (!(await stat(volumePath)).isDirectory()) {
    return [{ unit: units.BYTES, total: BigInt(capacityBytes), available: 0n, used: 0n }];
  }
  const { bsize, blocks, bfree, bavail, files, ffree } = await statfs(volumePath, { bigint: true });
  return [
    { unit: units.BYTES, total: blocks * bsize, available: bavail * bsize, used: (blocks - bfree) * bsize },
    { unit: units.INODES, total: files, available: ffree, used: files - ffree },
  ];
}
