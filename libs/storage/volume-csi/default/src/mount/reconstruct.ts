import { KubeletError } from '@podwright/errors';
import type { ReconstructedVolume } from '@podwright/volume-interface';
import { csiText } from '../csi-text.js';
import { csiStep } from './csi-step.js';
import { requireVolumeData } from './volume-data.js';

/**
 * Rebuilds a volume from the data file in `folder`: enough to take it down. Rejects when the file is missing, broken or
 * that of another volume. Source: kubernetes v1.36 pkg/volume/csi/csi_plugin.go ConstructVolumeSpec,
 * ConstructBlockVolumeSpec.
 */
export async function reconstructVolume(
  folder: string,
  volumeName: string,
  volumeMode: 'Filesystem' | 'Block',
): Promise<ReconstructedVolume> {
  const caller = volumeMode === 'Block' ? 'ConstructBlockVolumeSpec' : 'ConstructVolumeSpec';
  const what = csiText(`plugin.${caller} failed loading volume data using [${folder}]`);
  const data = await csiStep(what, async () => {
    const found = await requireVolumeData(folder);
    if (found.specVolID === volumeName) return found;
    throw new KubeletError(`it is of the volume ${found.specVolID ?? 'without a name'}`, { code: 'data-loss' });
  });
  const { driverName: driver, volumeHandle, volumeLifecycleMode, seLinuxMountContext: seLinuxLabel } = data;
  const label = seLinuxLabel === undefined || seLinuxLabel === '' ? {} : { seLinuxLabel };
  if (volumeMode === 'Filesystem' && volumeLifecycleMode === 'Ephemeral') {
    return { volume: { name: volumeName, csi: { driver } }, ...label };
  }
  return {
    volume: { name: volumeName },
    persistentVolume: { metadata: { name: volumeName }, spec: { csi: { driver, volumeHandle }, volumeMode } },
    ...label,
  };
}
