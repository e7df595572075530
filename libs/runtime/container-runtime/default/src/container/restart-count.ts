import { readdir } from 'node:fs/promises';

const logFile = /^(\d+)\.log(\..*)?/;

/**
 * Count for a container of which the runtime has no record: one more than the newest log file's, so that logs of before
 * (say, a reboot that wiped the runtime) are not written over. A missing directory gives 0; other errors reject.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go calcRestartCountByLogDir.
 */
export async function restartCountFromLogs(logDirectory: string): Promise<number> {
  const names = await readdir(logDirectory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const counts = names.flatMap((name) => {
    const digits = logFile.exec(name)?.[1];
    return digits === undefined ? [] : [Number(digits)];
  });
  return counts.length === 0 ? 0 : counts.reduce((most, count) => Math.max(most, count), 0) + 1;
}
