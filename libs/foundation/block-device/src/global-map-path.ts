import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from '@podwright/errors';

// Deeper than any plugin makes its folders of block devices.
const maxDepth = 8;

/**
 * The folder below `devicesDir` in which the pod's file is the device that `podLink` leads to, as the volume manager
 * mapped it; undefined without one. Source: kubernetes v1.36 pkg/volume/util/volumepathhandler
 * FindGlobalMapPathUUIDFromPod.
 */
export async function findGlobalMapPath(
  devicesDir: string,
  podLink: string,
  podUid: string,
): Promise<string | undefined> {
  const device = await numberOf(podLink);
  if (device === undefined) return undefined;
  const search = async (folder: string, depth: number): Promise<string | undefined> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const entry of entries) {
      if (entry.name === podUid && (await numberOf(join(folder, entry.name))) === device) return folder;
      if (!entry.isDirectory() || depth >= maxDepth) continue;
      const found = await search(join(folder, entry.name), depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(devicesDir, 1);
}

/** Undefined for what is missing or no device. */
async function numberOf(path: string): Promise<number | undefined> {
  try {
    const facts = await stat(path);
    return facts.isBlockDevice() || facts.isCharacterDevice() ? facts.rdev : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
