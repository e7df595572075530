import path from 'node:path';
import { ContainedFolder } from '@podwright/contained-path';
import { isMissing, KubeletError, messageOf } from '@podwright/errors';

/** Whether a log, whose path comes from the runtime, is below a folder that the kubelet made for the pod. */
export function isLogOf(podUid: string, podLogsDir: string, logPath: string): boolean {
  const [folder = '', ...rest] = path.relative(podLogsDir, logPath).split(path.sep);
  return path.isAbsolute(logPath) && podUid !== '' && folder.endsWith(`_${podUid}`) && rest.length > 0;
}

/**
 * Opens the folder of the log at `logPath`. Undefined when it does not exist, or is not below `podLogsDir`; rejects
 * when it cannot be opened. A pod that mounts the folder from the host can write here, so no part of the path below
 * `podLogsDir` may be a symbolic link. Upstream follows links.
 */
export async function openLogFolder(podLogsDir: string, logPath: string): Promise<ContainedFolder | undefined> {
  const folder = path.dirname(logPath);
  const names = path.relative(podLogsDir, folder).split(path.sep);
  if (names[0] === '..') return undefined;
  try {
    return await ContainedFolder.open(
      podLogsDir,
      names.filter((name) => name !== ''),
    );
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new KubeletError(`failed to open log folder ${JSON.stringify(folder)}: ${messageOf(error)}`, {
      code: 'failed-precondition',
      cause: error,
    });
  }
}
