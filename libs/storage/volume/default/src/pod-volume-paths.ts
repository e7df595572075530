import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** A volume's directory on disk: `volumes/<folder>/<name>` below the pod's directory. */
export interface VolumeOnDisk {
  /** Plugin name with `/` written as `~`. */
  readonly folder: string;
  readonly name: string;
  readonly path: string;
}

/** Names in a directory; empty when the path is missing or no directory. */
export async function namesIn(path: string): Promise<readonly string[]> {
  return readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
}

/** Lists volumes without touching them: a hung network mount must not block the listing. */
export async function volumesOnDisk(
  podDir: string,
  kind: 'volumes' | 'volumeDevices' = 'volumes',
): Promise<readonly VolumeOnDisk[]> {
  const volumes = join(podDir, kind);
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
