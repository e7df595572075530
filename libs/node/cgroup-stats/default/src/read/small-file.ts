import { stat, type Stats } from 'node:fs';
import { readKernelFile } from '@podwright/cgroup-files';

// ENODEV, ESRCH: the file went away between open and read. EOPNOTSUPP: a threaded cgroup, or disabled pressure.
const untold = new Set(['ENOENT', 'ENOTDIR', 'ENODEV', 'ESRCH', 'EOPNOTSUPP', 'ENOTSUP', 'EINVAL', 'EACCES', 'EPERM']);

/** As `readKernelFile`, but undefined when the file does not exist or the kernel does not let us read it. */
export const readSmallFile = (file: string): Promise<string | undefined> => readKernelFile(file).catch(unlessTold);

/** The stats of a path; undefined when it does not exist. Rejects on other errors. */
export function statOf(path: string): Promise<Stats | undefined> {
  return new Promise<Stats>((resolve, reject) => {
    stat(path, (error, stats) => (error === null ? resolve(stats) : reject(error)));
  }).catch(unlessTold);
}

function unlessTold(error: NodeJS.ErrnoException): undefined {
  if (!untold.has(error.code ?? '')) throw error;
}
