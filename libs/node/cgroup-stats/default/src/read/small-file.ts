import { close, open, read, stat, type Stats } from 'node:fs';

const bufferBytes = 16 * 1024;
// Lists of processes are the longest files; a longer file is not from a kernel.
const longestBytes = 4 * 1024 * 1024;
const keptBuffers = 32;
const idle: Buffer[] = [];

// ENODEV, ESRCH: the file went away between open and read. EOPNOTSUPP: a threaded cgroup, or disabled pressure.
const untold = new Set(['ENOENT', 'ENOTDIR', 'ENODEV', 'ESRCH', 'EOPNOTSUPP', 'ENOTSUP', 'EINVAL', 'EACCES', 'EPERM']);

/**
 * Reads a file of /proc, /sys or a cgroup with three calls and without a stream: two to four times cheaper than
 * `fs.readFile`, which matters for thousands of files. Undefined when the file does not exist or the kernel does not
 * let us read it. Rejects on other errors.
 */
export function readSmallFile(file: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    open(file, 'r', (openError, descriptor) => {
      if (openError !== null) return settle(openError, resolve, reject);
      const buffer = idle.pop() ?? Buffer.allocUnsafe(bufferBytes);
      let text = '';
      const end = (error: NodeJS.ErrnoException | null): void => {
        if (idle.length < keptBuffers) idle.push(buffer);
        close(descriptor, () => (error === null ? resolve(text) : settle(error, resolve, reject)));
      };
      const next = (): void =>
        read(descriptor, buffer, 0, bufferBytes, null, (error, length) => {
          if (error !== null) return end(error);
          text += buffer.toString('latin1', 0, length);
          // The kernel returns whole records: a short read is not yet the end, unless it fits in a page.
          if (length === 0 || text.length > longestBytes || (length < pageBytes && text.length === length)) end(null);
          else next();
        });
      next();
    });
  });
}

// seq_file and kernfs return at least this much at once if there is more.
const pageBytes = 2048;

/** The stats of a path; undefined when it does not exist. Rejects on other errors. */
export function statOf(path: string): Promise<Stats | undefined> {
  return new Promise((resolve, reject) => {
    stat(path, (error, stats) => (error === null ? resolve(stats) : settle(error, resolve, reject)));
  });
}

function settle(
  error: NodeJS.ErrnoException,
  resolve: (value: undefined) => void,
  reject: (error: Error) => void,
): void {
  if (untold.has(error.code ?? '')) resolve(undefined);
  else reject(error);
}
