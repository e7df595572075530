import { readdir } from 'node:fs/promises';

const logFile = /^(\d+)\.log(\..*)?/;

/**
 * Restart count for a container without a record in the runtime: one more than the newest log file's, so that earlier
 * logs, such as from before a reboot that wiped the runtime, are not overwritten. A missing directory gives 0; other
 * errors reject. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go calcRestartCountByLogDir.
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
