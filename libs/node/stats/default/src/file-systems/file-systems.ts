import { stat, statfs } from 'node:fs/promises';
import { withDeadline } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import type { Clock } from '@podwright/time';
import type { FileSystemNumbers } from '../disk-usage/disk-usage.js';

export interface FileSystemCalls {
  readonly statfs: (
    path: string,
  ) => Promise<{ bsize: number; blocks: number; bfree: number; bavail: number; files: number; ffree: number }>;
  readonly stat: (path: string) => Promise<{ dev: number }>;
}

// Each call that hangs holds one of Node's four threads for files, until the file system answers.
const mostStuckCalls = 2;

/**
 * Numbers of whole file systems. A dead one (NFS) makes its callers wait no longer than the limit, once; as long as it hangs
 * nobody asks it again. Source: kubernetes v1.36 pkg/volume/util/fs/fs.go Info.
 */
export class FileSystems {
  private readonly running = new Map<string, { readonly call: Promise<unknown>; late: boolean }>();

  constructor(
    private readonly clock: Clock,
    private readonly timeoutMs: number,
    private readonly calls: FileSystemCalls = { statfs, stat },
  ) {}

  /** Rejects with `deadline-exceeded` or `unavailable` for one that hangs, with `not-found` for a missing path. */
  async numbers(path: string, signal: AbortSignal): Promise<FileSystemNumbers> {
    const read = async (): Promise<FileSystemNumbers> => {
      const { bsize, blocks, bfree, bavail, files, ffree } = await this.calls.statfs(path);
      return {
        availableBytes: bavail * bsize,
        capacityBytes: blocks * bsize,
        usedBytes: (blocks - bfree) * bsize,
        inodes: files,
        inodesFree: ffree,
      };
    };
    return this.bounded(`statfs ${path}`, read, signal);
  }

  /** Number of the device that a path lies on. */
  async device(path: string, signal: AbortSignal): Promise<number> {
    return this.bounded(`stat ${path}`, async () => (await this.calls.stat(path)).dev, signal);
  }

  private async bounded<T>(what: string, start: () => Promise<T>, signal: AbortSignal): Promise<T> {
    let entry = this.running.get(what);
    if (entry === undefined) {
      const stuck = [...this.running.values()].filter(({ late }) => late).length;
      if (stuck >= mostStuckCalls) throw new KubeletError(`${what}: others do not answer`, { code: 'unavailable' });
      const call = start();
      entry = { call, late: false };
      this.running.set(what, entry);
      const done = (): void => void this.running.delete(what);
      call.then(done, done);
    } else if (entry.late) {
      throw new KubeletError(`${what}: does not answer`, { code: 'unavailable' });
    }
    const { call } = entry;
    try {
      // The key names the call, so this is its result.
      return await withDeadline(this.clock, this.timeoutMs, () => call as Promise<T>, signal);
    } catch (error) {
      if (!signal.aborted && this.running.get(what) === entry) entry.late = true;
      const code = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'not-found' : KubeletError.from(error).code;
      throw new KubeletError(`${what}: ${(error as Error).message}`, { code, cause: error });
    }
  }
}
