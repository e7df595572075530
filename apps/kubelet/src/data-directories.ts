import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { createMountTools, readMountTable, type MountEntry, type MountTools } from '@podwright/filesystem';
import type { Logger } from '@podwright/logging';

export interface DataDirectoriesOptions {
  /** Absolute. */
  readonly rootDir: string;
  readonly podLogsDir: string;
}

/** How the node's mounts are read and made; tests give their own. */
export interface MountAccess {
  readonly mounts: MountTools;
  readonly readTable: () => Promise<readonly MountEntry[]>;
}

/**
 * Makes the directories that exist from the start, and the root directory a shared mount, so that mounts inside it can
 * reach containers and come back from them. Source: kubernetes v1.36 pkg/kubelet/kubelet.go setupDataDirs.
 */
export async function makeDataDirectories(
  { rootDir, podLogsDir }: DataDirectoriesOptions,
  logger: Logger,
  { mounts, readTable }: MountAccess = { mounts: createMountTools(), readTable: readMountTable },
): Promise<void> {
  const directories: readonly (readonly [string, number])[] = [
    [rootDir, 0o750],
    ...['pods', 'plugins', 'plugins_registry', 'pod-resources'].map(
      (name) => [path.join(rootDir, name), 0o750] as const,
    ),
    [path.join(rootDir, 'checkpoints'), 0o700],
    [podLogsDir, 0o750],
  ];
  for (const [directory, mode] of directories) await mkdir(directory, { recursive: true, mode });
  // Only Bidirectional and HostToContainer mounts need it, so a node that refuses can still run everything else.
  await makeShared(rootDir, mounts, await readTable()).catch((error: unknown) =>
    logger.warn('Root directory could not be made a shared mount; pods with mount propagation will fail', {
      rootDir,
      error,
    }),
  );
}

// Nothing when the mount that the directory is on is shared already, else a bind mount onto itself, shared.
async function makeShared(directory: string, mounts: MountTools, table: readonly MountEntry[]): Promise<void> {
  const holds = ({ mountPoint }: MountEntry): boolean =>
    directory === mountPoint || directory.startsWith(mountPoint.endsWith('/') ? mountPoint : `${mountPoint}/`);
  const longest = table
    .filter(holds)
    .reduce<MountEntry | undefined>(
      (best, entry) => (best === undefined || entry.mountPoint.length >= best.mountPoint.length ? entry : best),
      undefined,
    );
  if (longest?.propagation.some((field) => field.startsWith('shared:'))) return;
  await mounts.mount({ source: directory, target: directory, options: ['bind'] });
  await mounts.mount({ source: 'none', target: directory, options: ['rshared'] });
}
