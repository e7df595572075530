import { join, relative } from 'node:path';
import { isMissing } from '@podwright/errors';
import { isCorruptedMount } from './corrupted-mount.js';
import { mountOf, resolveLinks } from './mount-point.js';
import type { MountEntry } from './mount-table.js';
import type { MountTools } from './mount-tools.js';

/**
 * Other mount points of the directory or mount at `path`: those of the same root in the same file system. The path must
 * be absolute and without links; it is not touched, since its mount may hang. Source: kubernetes v1.36
 * mount-utils/mount_linux.go SearchMountPoints.
 */
export function mountRefs(table: readonly MountEntry[], path: string): readonly string[] {
  const own = mountOf(path, table);
  if (own === undefined) return [];
  const root = join(own.root, relative(own.mountPoint, path));
  return table
    .filter((entry) => entry.id !== own.id && entry.root === root && entry.device === own.device)
    .map(({ mountPoint }) => mountPoint);
}

/**
 * {@link mountRefs} of a path that may have links. None for a path that is missing or whose mount is corrupted. Source:
 * kubernetes v1.36 mount-utils/mount_linux.go GetMountRefs.
 */
export async function mountReferences(mounts: Pick<MountTools, 'list'>, path: string): Promise<readonly string[]> {
  const table = await mounts.list();
  try {
    return mountRefs(table, await resolveLinks(path, table));
  } catch (error) {
    if (isMissing(error) || isCorruptedMount(error)) return [];
    throw error;
  }
}

export interface MountedDevice {
  /** The source of the mount, such as `/dev/sda1`; undefined when nothing is mounted on the path. */
  readonly device: string | undefined;
  /** How many mounts have that source. */
  readonly mountCount: number;
}

/**
 * What is mounted on a path, and how often. Source: kubernetes v1.36 mount-utils/mount_helper_unix.go, mount.go
 * GetDeviceNameFromMount.
 */
export async function deviceOfMount(mounts: Pick<MountTools, 'list'>, path: string): Promise<MountedDevice> {
  const table = await mounts.list();
  const resolved = await resolveLinks(path, table);
  const device = table.find(({ mountPoint }) => mountPoint === resolved)?.source;
  return { device, mountCount: device === undefined ? 0 : table.filter(({ source }) => source === device).length };
}
