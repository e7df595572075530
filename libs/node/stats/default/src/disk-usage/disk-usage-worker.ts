/* oxlint-disable eslint-js/no-restricted-syntax, no-restricted-globals, no-restricted-properties, no-restricted-imports --
   this runs in a thread of its own, where nothing waits for the event loop and no Clock can be handed in */
import type * as Fs from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import type { CountedUsage, FileSystemNumbers, FolderUsage, TreeUsage } from './disk-usage.js';

/** One count. `limitMs`: how long the thread may work on it, summed over its slices. */
export type DiskUsageJob = { readonly id: number; readonly limitMs: number } & (
  | { readonly kind: 'tree'; readonly path: string }
  | { readonly kind: 'folders'; readonly paths: readonly string[] }
);

export type DiskUsageRequest = DiskUsageJob | { readonly kind: 'cancel'; readonly id: number };

export type DiskUsageReply =
  | { readonly id: number; readonly result: TreeUsage | readonly (FolderUsage | undefined)[] }
  | { readonly id: number; readonly error: { readonly message: string; readonly code: string } };

/**
 * Body of the counting thread. The thread starts from this function's text (see `worker-source.ts`), so it uses only
 * its parameters and Node's globals. Calls are synchronous on purpose: they block only this thread and are several
 * times faster than asynchronous ones. Counts run in slices by turns, so that a large tree does not delay small ones.
 */
export function diskUsageWorker(port: MessagePort, fs: typeof Fs): void {
  const entriesPerSlice = 500;
  // Two file descriptors are open per level.
  const deepestLevel = 250;

  interface Job {
    readonly id: number;
    readonly limitMs: number;
    readonly work: Generator<void, unknown>;
    usedMs: number;
    readonly late: { expired: boolean };
  }
  interface Level {
    readonly fd: number;
    readonly dir: Fs.Dir;
  }
  interface Sum {
    bytes: number;
    inodes: number;
    complete: boolean;
  }

  const jobs = new Map<number, Job>();
  let scheduled = false;

  const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? 'unknown');
  // The entry was removed or replaced since its name was read.
  const changed = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ESTALE']);

  // Names are bytes, not text: in another encoding some files could not be opened.
  const child = (fd: number, name: string): Buffer =>
    Buffer.concat([Buffer.from(`/proc/self/fd/${fd}/`), Buffer.from(name, 'latin1')]);

  const unlessChanged = <T>(call: () => T): T | undefined => {
    try {
      return call();
    } catch (error) {
      if (changed.has(codeOf(error))) return undefined;
      throw error;
    }
  };

  const open = (path: string | Buffer): Level | undefined => {
    const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    const fd = unlessChanged(() => fs.openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK));
    if (fd === undefined) return undefined;
    try {
      return { fd, dir: fs.opendirSync(`/proc/self/fd/${fd}`, { encoding: 'latin1', bufferSize: 256 }) };
    } catch (error) {
      fs.closeSync(fd);
      throw error;
    }
  };

  const close = ({ fd, dir }: Level): void => {
    dir.closeSync();
    fs.closeSync(fd);
  };

  const fileSystem = (path: string): FileSystemNumbers => {
    const { bsize, blocks, bfree, bavail, files, ffree } = fs.statfsSync(path);
    return {
      availableBytes: bavail * bsize,
      capacityBytes: blocks * bsize,
      usedBytes: (blocks - bfree) * bsize,
      inodes: files,
      inodesFree: ffree,
    };
  };

  const add = (sum: Sum, stats: Fs.Stats): void => {
    sum.bytes += stats.blocks * 512;
    sum.inodes++;
  };

  function* countTree(path: string, late: { readonly expired: boolean }): Generator<void, TreeUsage> {
    const sum: Sum = { bytes: 0, inodes: 0, complete: true };
    const top = fs.lstatSync(path);
    add(sum, top);
    const levels: Level[] = [];
    const linked = new Set<number | bigint>();
    let entries = 0;
    try {
      const first = top.isDirectory() ? open(path) : undefined;
      if (first !== undefined) levels.push(first);
      for (let level = levels[0]; level !== undefined; level = levels[levels.length - 1]) {
        const { fd, dir } = level;
        const entry = unlessChanged(() => dir.readSync()) ?? null;
        if (entry === null) {
          close(level);
          levels.pop();
          continue;
        }
        if (++entries % entriesPerSlice === 0) yield;
        if (late.expired) {
          sum.complete = false;
          break;
        }
        const place = child(fd, entry.name);
        const stats = unlessChanged(() => fs.lstatSync(place));
        if (stats === undefined || stats.dev !== top.dev) continue;
        if (!stats.isDirectory()) {
          if (stats.nlink > 1) {
            // A double would round a larger inode number to that of another file.
            const inode = Number.isSafeInteger(stats.ino)
              ? stats.ino
              : (unlessChanged(() => fs.lstatSync(place, { bigint: true }))?.ino ?? stats.ino);
            if (linked.has(inode)) continue;
            linked.add(inode);
          }
          add(sum, stats);
          continue;
        }
        add(sum, stats);
        if (levels.length >= deepestLevel) {
          sum.complete = false;
          continue;
        }
        const below = open(place);
        if (below !== undefined) levels.push(below);
      }
    } finally {
      for (const level of levels) close(level);
    }
    return { ...sum, fileSystem: fileSystem(path) };
  }

  function* countFiles(path: string | Buffer, late: { readonly expired: boolean }): Generator<void, [Sum, string[]]> {
    const sum: Sum = { bytes: 0, inodes: 0, complete: true };
    const folders: string[] = [];
    const level = open(path);
    if (level === undefined) throw Object.assign(new Error('no such directory'), { code: 'ENOENT' });
    try {
      let entries = 0;
      for (let entry = level.dir.readSync(); entry !== null; entry = level.dir.readSync()) {
        if (++entries % entriesPerSlice === 0) yield;
        if (late.expired) {
          sum.complete = false;
          break;
        }
        const { name } = entry;
        const stats = unlessChanged(() => fs.lstatSync(child(level.fd, name)));
        if (stats === undefined) continue;
        if (stats.isDirectory()) folders.push(name);
        else add(sum, stats);
      }
    } finally {
      close(level);
    }
    return [sum, folders];
  }

  function* countFolders(
    paths: readonly string[],
    late: { readonly expired: boolean },
  ): Generator<void, readonly (FolderUsage | undefined)[]> {
    const found: (FolderUsage | undefined)[] = [];
    for (const path of paths) {
      yield;
      try {
        const [own, names] = yield* countFiles(path, late);
        const folders: Record<string, CountedUsage> = Object.create(null) as Record<string, CountedUsage>;
        for (const name of names) {
          const place = Buffer.concat([Buffer.from(`${path}/`), Buffer.from(name, 'latin1')]);
          folders[Buffer.from(name, 'latin1').toString()] = (yield* countFiles(place, late))[0];
        }
        found.push({ own, folders });
      } catch {
        // Report the folder as missing.
        found.push(undefined);
      }
    }
    return found;
  }

  const turn = (job: Job): void => {
    const startedAt = performance.now();
    try {
      const step = job.work.next();
      job.usedMs += performance.now() - startedAt;
      job.late.expired = job.usedMs > job.limitMs;
      if (step.done !== true) return;
      jobs.delete(job.id);
      port.postMessage({ id: job.id, result: step.value });
    } catch (error) {
      jobs.delete(job.id);
      port.postMessage({ id: job.id, error: { message: String((error as Error).message), code: codeOf(error) } });
    }
  };

  const schedule = (): void => {
    if (scheduled || jobs.size === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      for (const job of [...jobs.values()]) turn(job);
      schedule();
    });
  };

  port.on('message', (request: DiskUsageRequest) => {
    if (request.kind === 'cancel') {
      jobs.get(request.id)?.work.return(undefined);
      jobs.delete(request.id);
      return;
    }
    const late = { expired: false };
    const work = request.kind === 'tree' ? countTree(request.path, late) : countFolders(request.paths, late);
    jobs.set(request.id, { id: request.id, limitMs: request.limitMs, work, usedMs: 0, late });
    schedule();
  });
}
