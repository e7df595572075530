import path from 'node:path';
import { errnoWords, KubeletError } from '@podwright/errors';
import { makeDirectory, mountOf, resolveLinks, type MountTools } from '@podwright/filesystem';
import type { Logger } from '@podwright/logging';

export interface DataDirectoriesOptions {
  /** Absolute path. */
  readonly rootDir: string;
  readonly podLogsDir: string;
  /** Whether containers can be checkpointed. */
  readonly checkpoints: boolean;
}

/**
 * Creates the kubelet's directories and makes the root directory a shared mount, so that mounts propagate between it
 * and containers. Source: kubernetes v1.36 pkg/kubelet/kubelet.go setupDataDirs.
 */
export async function makeDataDirectories(
  { rootDir, podLogsDir, checkpoints }: DataDirectoriesOptions,
  logger: Logger,
  mounts: MountTools,
): Promise<void> {
  const directories: readonly (readonly [string, number])[] = [
    [rootDir, 0o750],
    ...['pods', 'plugins', 'plugins_registry', 'pod-resources'].map(
      (name) => [path.join(rootDir, name), 0o750] as const,
    ),
    ...(checkpoints ? [[path.join(rootDir, 'checkpoints'), 0o700] as const] : []),
    [podLogsDir, 0o750],
  ];
  for (const [directory, mode] of directories) {
    await makeDirectory(directory, mode).catch((error: unknown) => {
      const about = `mkdir ${directory}: ${errnoWords(error)}`;
      const isFull = ['ENOSPC', 'EDQUOT'].includes(String((error as { readonly code?: unknown }).code));
      const advice = isFull
        ? 'make room in its file system'
        : 'run the kubelet as root, or name folders of its user in --root-dir and podLogsDir';
      throw new KubeletError(`failed to create directories of the kubelet: ${about}; ${advice}`, {
        code: 'failed-precondition',
        cause: error,
      });
    });
  }
  // Only Bidirectional and HostToContainer mounts need it, so a node where this fails can still run everything else.
  await makeShared(rootDir, mounts).catch((error: unknown) =>
    logger.warn('Root directory could not be made a shared mount; pods with mount propagation will fail', {
      rootDir,
      error,
    }),
  );
}

// Does nothing when the directory's mount is already shared; else bind mounts the directory onto itself and makes that
// shared.
async function makeShared(directory: string, mounts: MountTools): Promise<void> {
  const table = await mounts.list();
  const mount = mountOf(await resolveLinks(directory, table), table);
  if (mount?.propagation.some((field) => field.startsWith('shared:'))) return;
  await mounts.mount({ source: directory, target: directory, options: ['bind'] });
  await mounts.mount({ source: 'none', target: directory, options: ['rshared'] });
}
