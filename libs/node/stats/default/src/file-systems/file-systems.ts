import { stat, statfs } from 'node:fs/promises';
import { withDeadline } from '@podwright/concurrency';
import { isMissing, KubeletError } from '@podwright/errors';
import type { Clock } from '@podwright/time';
import type { FileSystemNumbers } from '../disk-usage/disk-usage.js';

export interface FileSystemCalls {
  readonly statfs: (
    path: string,
  ) => Promise<{ bsize: number; blocks: number; bfree: number; bavail: number; files: number; ffree: number }>;
  readonly stat: (path: string) => Promise<{ dev: number }>;
  /** Rejects when a call on the path would hang. Default: none is expected to. */
  readonly requireAnswer?: (path: string, signal: AbortSignal) => Promise<void>;
}

// Each hung call blocks one of Node's four file system threads until the file system answers.
const mostStuckCalls = 2;

/**
 * Capacity and usage of whole file systems. Callers wait at most the time limit for a dead one (NFS); while a call
 * hangs, no further one is made to it. Source: kubernetes v1.36 pkg/volume/util/fs/fs.go Info.
 */
export class FileSystems {
  private readonly running = new Map<string, { readonly call: Promise<unknown>; late: boolean }>();

  constructor(
    private readonly clock: Clock,
    private readonly timeoutMs: number,
    private readonly calls: FileSystemCalls = { statfs, stat },
    /** The most calls that may hang. */
    private readonly mostStuck = mostStuckCalls,
  ) {}

  /**
   * Rejects with `deadline-exceeded` or `unavailable` for a file system that hangs, with `not-found` for a missing
   * path.
   */
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
    return this.bounded(`statfs ${path}`, this.afterAnswer(path, read), signal);
  }

  /** Device number of a path. */
  async device(path: string, signal: AbortSignal): Promise<number> {
    const read = async (): Promise<number> => (await this.calls.stat(path)).dev;
    return this.bounded(`stat ${path}`, this.afterAnswer(path, read), signal);
  }

  /** Asks a child process first: a call that hangs would keep one of Node's threads as long as the server is away. */
  private afterAnswer<T>(path: string, read: () => Promise<T>): () => Promise<T> {
    const { requireAnswer: require } = this.calls;
    if (require === undefined) return read;
    return async () => {
      const { signal, dispose } = this.clock.deadline(this.timeoutMs);
      await require(path, signal).finally(dispose);
      return read();
    };
  }

  private async bounded<T>(what: string, start: () => Promise<T>, signal: AbortSignal): Promise<T> {
    let entry = this.running.get(what);
    if (entry === undefined) {
      const stuck = [...this.running.values()].filter(({ late }) => late).length;
      if (stuck >= this.mostStuck) throw new KubeletError(`${what}: others do not answer`, { code: 'unavailable' });
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
      // The key identifies the call, so the result has its type.
      return await withDeadline(this.clock, this.timeoutMs, () => call as Promise<T>, signal);
    } catch (error) {
      if (!signal.aborted && this.running.get(what) === entry) entry.late = true;
      const code = isMissing(error) ? 'not-found' : KubeletError.from(error).code;
      throw new KubeletError(`${what}: ${(error as Error).message}`, { code, cause: error });
    }
  }
}
