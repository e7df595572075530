import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from '@podwright/errors';
import type { FoundDevice } from '@podwright/volume-interface';
import { blockPaths, removeBlockFolders } from '../block/block-paths.js';
import type { CsiVolumeDeps } from '../csi-volume-deps.js';
import { loadVolumeData, type VolumeData } from './volume-data.js';
import { removeVolumeFolder } from './volume-folder.js';
import { pluginFolder, stagingIn, stagingTarget } from './volume-paths.js';

/** Kept beside the drivers' folders. */
const blockFolder = 'volumeDevices';
/** In it, beside the volumes' folders. */
const foldersOfAll: readonly string[] = ['staging', 'publish'];

type Deps = Pick<CsiVolumeDeps, 'mounts' | 'logger'>;

/**
 * Finds the volumes that drivers have staged for the node by the data files beside them. A file that cannot be read is
 * logged: what is staged there stays until its pod comes back or an administrator unmounts it. A folder without a file
 * was being made or removed when a kubelet was killed: nothing is staged there, so it goes.
 */
export async function findDevices(rootDir: string, deps: Deps): Promise<readonly FoundDevice[]> {
  const folder = pluginFolder(rootDir);
  const found: FoundDevice[] = [];
  for (const driver of await namesIn(folder)) {
    if (driver === blockFolder) continue;
    for (const name of await namesIn(join(folder, driver))) {
      const staged = await stagedIn(rootDir, join(folder, driver, name), deps);
      if (staged !== undefined) found.push(staged);
    }
  }
  for (const name of await namesIn(join(folder, blockFolder))) {
    if (foldersOfAll.includes(name)) continue;
    const device = await deviceOf(rootDir, name, deps);
    if (device !== undefined) found.push(device);
  }
  return found;
}

async function stagedIn(rootDir: string, folder: string, deps: Deps): Promise<FoundDevice | undefined> {
  const data = await readableData(folder, deps);
  if (data === 'missing') await removeStaging(folder, deps);
  if (typeof data === 'string') return undefined;
  const { driverName: driver, volumeHandle, seLinuxMountContext } = data;
  const path = stagingTarget(rootDir, driver, volumeHandle);
  // A copied folder would take down the volume of another one.
  if (dirname(path) !== folder) return undefined;
  return deviceFrom({ name: volumeHandle, driver, volumeHandle, mode: 'Filesystem', path, seLinuxMountContext });
}

async function deviceOf(rootDir: string, name: string, deps: Deps): Promise<FoundDevice | undefined> {
  const paths = blockPaths(rootDir, name);
  const data = await readableData(paths.data, deps);
  if (data === 'missing') await removeLeftovers(paths.folder, deps, () => removeBlockFolders(paths));
  if (typeof data === 'string' || data.specVolID !== name) return undefined;
  const { driverName: driver, volumeHandle } = data;
  return deviceFrom({ name, driver, volumeHandle, mode: 'Block', path: paths.globalMap });
}

async function readableData(folder: string, { logger }: Deps): Promise<VolumeData | 'missing' | 'unreadable'> {
  try {
    return (await loadVolumeData(folder)) ?? 'missing';
  } catch (error) {
    logger.error(
      'Cannot tell which volume is staged for the node; it stays until a pod uses the volume again, or somebody unmounts it and removes the folder',
      { folder, error },
    );
    return 'unreadable';
  }
}

async function removeStaging(folder: string, deps: Deps): Promise<void> {
  const path = stagingIn(folder);
  await removeLeftovers(folder, deps, async () => {
    if (await removeVolumeFolder(deps.mounts, path)) return;
    const message =
      'A CSI driver has staged a volume, but the data file that names the volume is missing, so it stays until a pod uses the volume again; otherwise unmount the path and remove the folder';
    deps.logger.error(message, { folder, path });
  });
}

async function removeLeftovers(folder: string, { logger }: Deps, remove: () => Promise<void>): Promise<void> {
  await remove().catch((error: unknown) => {
    logger.error('A folder of a CSI driver has no data file and cannot be removed; remove it by hand', {
      folder,
      error,
    });
  });
}

interface Device {
  readonly name: string;
  readonly driver: string;
  readonly volumeHandle: string;
  readonly mode: 'Filesystem' | 'Block';
  readonly path: string;
  readonly seLinuxMountContext?: string | undefined;
}

function deviceFrom({ name, driver, volumeHandle, mode, path, seLinuxMountContext = '' }: Device): FoundDevice {
  return {
    volume: { name },
    persistentVolume: { metadata: { name }, spec: { csi: { driver, volumeHandle }, volumeMode: mode } },
    mode,
    path,
    ...(seLinuxMountContext !== '' && { seLinuxLabel: seLinuxMountContext }),
  };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return [];
    throw error;
  }
}
