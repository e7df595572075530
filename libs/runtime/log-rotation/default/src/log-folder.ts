import path from 'node:path';
import { ContainedFolder } from '@podwright/contained-path';
import { isMissing, KubeletError, messageOf } from '@podwright/errors';

/**
 * Opens the folder of the log at `logPath`. Undefined when it does not exist; rejects when it cannot be opened. A pod
 * that mounts the folder from the host can write here, so no part of the path below `podLogsDir` may be a symbolic
 * link. Elsewhere, where a runtime keeps logs of its own, only the folder itself must not be one. Upstream follows
 * links.
 */
export async function openLogFolder(podLogsDir: string, logPath: string): Promise<ContainedFolder | undefined> {
  const folder = path.dirname(logPath);
  const below = path.relative(podLogsDir, folder);
  const isOurs = !path.isAbsolute(below) && below.split(path.sep)[0] !== '..';
  const [root, names] = isOurs ? [podLogsDir, below.split(path.sep)] : [path.dirname(folder), [path.basename(folder)]];
  try {
    return await ContainedFolder.open(
      root,
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
