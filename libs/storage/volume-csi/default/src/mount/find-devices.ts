import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isMissing } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { FoundDevice } from '@podwright/volume-interface';
import { blockPaths } from '../block/block-paths.js';
import { loadVolumeData, type VolumeData } from './volume-data.js';
import { pluginFolder, stagingTarget } from './volume-paths.js';

/** Kept beside the drivers' folders. */
const blockFolder = 'volumeDevices';

/**
 * Finds the volumes that drivers have staged for the node by the data files beside them. A file that cannot be read is
 * logged: what is staged there stays until its pod comes back or an administrator unmounts it.
 */
export async function findDevices(rootDir: string, logger: Pick<Logger, 'error'>): Promise<readonly FoundDevice[]> {
  const folder = pluginFolder(rootDir);
  const found: FoundDevice[] = [];
  for (const driver of await namesIn(folder)) {
    if (driver === blockFolder) continue;
    for (const name of await namesIn(join(folder, driver))) {
      const staged = await stagedIn(rootDir, join(folder, driver, name), logger);
      if (staged !== undefined) found.push(staged);
    }
  }
  for (const name of await namesIn(join(folder, blockFolder))) {
    const device = await deviceOf(rootDir, name, logger);
    if (device !== undefined) found.push(device);
  }
  return found;
}

async function stagedIn(
  rootDir: string,
  folder: string,
  logger: Pick<Logger, 'error'>,
): Promise<FoundDevice | undefined> {
  const data = await readableData(folder, logger);
  if (data === undefined) return undefined;
  const { driverName: driver, volumeHandle, seLinuxMountContext } = data;
  const path = stagingTarget(rootDir, driver, volumeHandle);
  // A copied folder would take down the volume of another one.
  if (dirname(path) !== folder) return undefined;
  return deviceFrom({ name: volumeHandle, driver, volumeHandle, mode: 'Filesystem', path, seLinuxMountContext });
}

async function deviceOf(
  rootDir: string,
  name: string,
  logger: Pick<Logger, 'error'>,
): Promise<FoundDevice | undefined> {
  const paths = blockPaths(rootDir, name);
  const data = await readableData(paths.data, logger);
  if (data === undefined || data.specVolID !== name) return undefined;
  const { driverName: driver, volumeHandle } = data;
  return deviceFrom({ name, driver, volumeHandle, mode: 'Block', path: paths.globalMap });
}

async function readableData(folder: string, logger: Pick<Logger, 'error'>): Promise<VolumeData | undefined> {
  return loadVolumeData(folder).catch((error: unknown) => {
    logger.error('Cannot tell which volume is staged for the node', { folder, error });
    return undefined;
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
