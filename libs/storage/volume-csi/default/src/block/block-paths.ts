import { join } from 'node:path';
import { removeOneFileSystem } from '@podwright/filesystem';
import { csiText } from '../csi-text.js';
import { csiStep } from '../mount/csi-step.js';
import { removeEntry } from '../mount/volume-folder.js';
import { pluginFolder } from '../mount/volume-paths.js';

/** The folders of one volume that is used as a block device. Source: kubernetes v1.36 pkg/volume/csi/csi_block.go. */
export interface BlockPaths {
  /** All of the volume but what is staged and published. */
  readonly folder: string;
  /** The node's links to the device, one per pod. */
  readonly globalMap: string;
  /** The data file's folder. */
  readonly data: string;
  /** The driver stages the volume in this folder. */
  readonly staging: string;
  /** Folder of the files at which the driver publishes the volume, one per pod. */
  readonly publishFolder: string;
}

export function blockPaths(rootDir: string, volumeName: string): BlockPaths {
  const base = join(pluginFolder(rootDir), 'volumeDevices');
  const folder = join(base, volumeName);
  return {
    folder,
    globalMap: join(folder, 'dev'),
    data: join(folder, 'data'),
    staging: join(base, 'staging', volumeName),
    publishFolder: join(base, 'publish', volumeName),
  };
}

/**
 * Removes what belongs to no pod any more. The data file goes after what the driver has made, so while it is missing,
 * nothing is staged or published, and a second call finishes what a killed one began.
 */
export async function removeBlockFolders({ publishFolder, staging, folder }: BlockPaths): Promise<void> {
  await csiStep(csiText(`failed to remove publish directory [${publishFolder}]`), () => removeEntry(publishFolder));
  await csiStep(csiText(`failed to delete volume staging path [${staging}]`), () => removeEntry(staging));
  await removeOneFileSystem(folder);
}
