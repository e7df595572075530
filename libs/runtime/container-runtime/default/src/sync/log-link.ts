import { stat, symlink } from 'node:fs/promises';
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
  try {
    await stat(log);
    await symlink(log, containerLogLink(directories.containerLogsDir, names));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
