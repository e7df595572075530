import { join } from 'node:path';
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
