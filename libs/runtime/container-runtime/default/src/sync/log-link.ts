import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, KubeletError } from '@podwright/errors';
import { exists, makeDirectory } from '@podwright/filesystem';
import type { Container, Pod } from '@podwright/kube-types';
import type { LogDirectories } from '../pod-records/log-paths.js';
import { containerLogLink, podLogDirectory } from '../pod-records/log-paths.js';

/**
 * Links the container's log into the folder that log collectors read. Does nothing when there is no log file, as with
 * some log drivers. `logPath` is relative to the pod's log directory. Rejects when the link cannot be made.
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
  const path = containerLogLink(directories.containerLogsDir, names);
  if (path === undefined) {
    throw new KubeletError(`container id ${JSON.stringify(containerId)} makes no file name`, { code: 'internal' });
  }
  const link = (): Promise<void> => symlink(log, path);
  await link().catch(async (error: unknown) => {
    if (!isMissing(error)) throw error;
    await makeDirectory(directories.containerLogsDir, 0o755);
    await link();
  });
}
