import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A volume's directory as found on disk: `volumes/<folder>/<name>` below the pod's directory. */
export interface VolumeOnDisk {
  /** Plugin name with `/` written as `~`. */
  readonly folder: string;
  readonly name: string;
  readonly path: string;
}

/** Names in a directory; none when it is missing or no directory. */
export async function namesIn(path: string): Promise<readonly string[]> {
  return readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
}

/** Volumes are listed, never looked at: a hung network mount must not block the look. */
export async function volumesOnDisk(podDir: string): Promise<readonly VolumeOnDisk[]> {
  const volumes = join(podDir, 'volumes');
  const found: VolumeOnDisk[] = [];
  for (const folder of await namesIn(volumes)) {
    for (const name of await namesIn(join(volumes, folder)))
      found.push({ folder, name, path: join(volumes, folder, name) });
  }
  return found;
}

export function pluginNameOf({ folder }: VolumeOnDisk): string {
  return folder.replaceAll('~', '/');
}
