import { realpath } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { mountReferences } from '@podwright/filesystem';
import { csiText } from '../csi-text.js';
import type { CsiVolumes } from '../csi-volumes.js';
import { loadVolumeData, requireVolumeData, volumeDataFile, type VolumeData } from './volume-data.js';
import { isMounted } from './volume-folder.js';
import { stagingTarget } from './volume-paths.js';

/**
 * What is published at `target`, by the data file next to it; undefined when nothing is. A file that is missing or broken
 * tells nothing: if nothing is mounted, its write was interrupted before the driver was called. If the mount is that of a
 * staged volume, the data file of the staging says which one. Otherwise rejects. Upstream never gets over such a file.
 */
export async function publishedVolume(
  { deps, options }: Pick<CsiVolumes, 'deps' | 'options'>,
  target: string,
): Promise<VolumeData | undefined> {
  const folder = dirname(target);
  const { mounts, logger } = deps;
  try {
    const data = await loadVolumeData(folder);
    if (data === undefined && (await isMounted(mounts, target))) return await requireVolumeData(folder);
    requireName(data?.specVolID, basename(folder));
    return data;
  } catch (error) {
    if (!hasCode(error, 'data-loss') && !hasCode(error, 'not-found')) throw error;
    const because = { path: volumeDataFile(folder), error: messageOf(error) };
    if (!(await isMounted(mounts, target))) {
      logger.warn(csiText('removing a volume data file that is broken, nothing is mounted beside it'), because);
      return undefined;
    }
    const staged = await stagedVolume(await realpath(options.rootDir), await mountReferences(mounts, target));
    if (staged === undefined) throw error;
    const { driverName: driver, volumeHandle } = staged;
    logger.warn(csiText('a volume data file is of no use, the mounted volume was found by its staging'), {
      ...because,
      driver,
      volumeHandle,
    });
    return { driverName: driver, volumeHandle };
  }
}

function requireName(found: string | undefined, wanted: string): void {
  if (found === undefined || found === wanted) return;
  throw new KubeletError(`it is of the volume ${found}`, { code: 'data-loss' });
}

/** The volume whose staging target is one of the mounts. The root has no links, as the paths in the mount table. */
async function stagedVolume(rootDir: string, mountPoints: readonly string[]): Promise<VolumeData | undefined> {
  for (const mountPoint of mountPoints) {
    if (basename(mountPoint) !== 'globalmount') continue;
    const staged = await loadVolumeData(dirname(mountPoint)).catch(() => undefined);
    if (staged !== undefined && stagingTarget(rootDir, staged.driverName, staged.volumeHandle) === mountPoint) {
      return staged;
    }
  }
  return undefined;
}
