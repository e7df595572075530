import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { errnoWords, isMissing, KubeletError } from '@podwright/errors';
import { requireAnswer } from '@podwright/filesystem';
import type { VolumeSpec } from '@podwright/volume-interface';
import type { LocalVolumeDeps } from './local-volume-deps.js';

export const pluginName = 'kubernetes.io/local-volume';
const folder = 'kubernetes.io~local-volume';

/** What a local volume names on the node. Empty after a restart, when it was a directory. */
export function localPath({ persistentVolume }: VolumeSpec): string {
  const path = persistentVolume?.spec?.local?.path ?? '';
  return path === '' || isAbsolute(path) ? path : `/${path}`;
}

export type SourceKind = 'directory' | 'block-device';

const answerTimeoutMs = 10_000;

/**
 * Rejects with `unavailable` when the path is on a network file system that does not answer. Source: kubernetes v1.36
 * pkg/volume/local getGlobalLocalPath.
 */
export async function sourceKind(
  path: string,
  { mounts, clock, run }: Pick<LocalVolumeDeps, 'mounts' | 'clock' | 'run'>,
): Promise<SourceKind> {
  if (path === '') {
    throw new KubeletError('local volume source is nil or local path is not set', { code: 'invalid-argument' });
  }
  const limit = clock.deadline(answerTimeoutMs);
  await requireAnswer(path, limit.signal, { list: () => mounts.list(), ...(run && { run }) }).finally(limit.dispose);
  try {
    const found = await stat(path);
    if (found.isDirectory()) return 'directory';
    if (found.isBlockDevice()) return 'block-device';
  } catch (error) {
    const { code } = KubeletError.from(error);
    if (!isMissing(error)) throw new KubeletError(`stat ${path}: ${errnoWords(error)}`, { code, cause: error });
    throw new KubeletError(`path ${JSON.stringify(path)} does not exist`, { code: 'not-found', cause: error });
  }
  throw new KubeletError('only directory and block device are supported', { code: 'invalid-argument' });
}

/** `<root>` of `<root>/pods/<uid>`. */
export function rootOf(podDir: string): string {
  return dirname(dirname(podDir));
}

/** Where the plugin mounts disks for the node. */
export function deviceMountsDir(podDir: string): string {
  return join(rootOf(podDir), 'plugins', pluginName, 'mounts');
}

/** The folder that upstream's plugin, unlike others, names with `~`. */
export function globalMapPath(podDir: string, name: string): string {
  return join(rootOf(podDir), 'plugins', folder, 'volumeDevices', name);
}

export function podVolumePath(podDir: string, name: string): string {
  return join(podDir, 'volumes', folder, name);
}
