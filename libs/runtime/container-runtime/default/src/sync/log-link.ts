import { mkdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Container, Pod } from '@podwright/kube-types';
import type { LogDirectories } from '../pod-records/log-paths.js';
import { containerLogLink, podLogDirectory } from '../pod-records/log-paths.js';

/**
 * Links the container's log where log collectors look. Without a log file, as with some log drivers, there is nothing
 * to link. `logPath` is below the pod's log directory. Rejects when the link cannot be made.
 */
export async function linkLog(
  directories: LogDirectories,
  pod: Pod,
  { name: containerName }: Container,
  containerId: string,
  logPath: string,
): Promise<void> {
  const { name: podName = '', namespace = '' } = pod.metadata;
  const log = join(podLogDirectory(directories.podLogsDir, pod), logPath);
  const names = { podName, namespace, containerName, containerId };
  if (!(await exists(log))) return;
  // Nothing else makes the folder, and a start is rare enough to look for it each time.
  await mkdir(directories.containerLogsDir, { recursive: true, mode: 0o755 });
  await symlink(log, containerLogLink(directories.containerLogsDir, names));
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
