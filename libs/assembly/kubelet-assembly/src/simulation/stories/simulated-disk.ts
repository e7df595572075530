import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { halfOf } from './half-of.js';
import { SimulatedFile } from './simulated-file.js';

/** What becomes of one operation. `torn`: half of what was to be written is written, then it fails. */
export type DiskVerdict = 'done' | 'never' | { readonly code: 'EIO' | 'ENOSPC' | 'EBUSY'; readonly torn: boolean };

/** Decides about each operation, before it takes effect. */
export type DiskJudge = (operation: string, path: string) => DiskVerdict;

/** What an operation waits for before it takes effect, and after; undefined when it is done at once. */
export type DiskPause = () => Promise<void> | undefined;

/** What a look at a path, `stat`, `lstat` or `statfs`, is to find instead of what is there. */
export type DiskShow = (path: string, found: unknown) => unknown;

const looks: readonly string[] = ['stat', 'lstat', 'statfs'];
/** Functions of `fs.promises` that only look. */
const readers = [
  'readFile',
  'readdir',
  'stat',
  'lstat',
  'statfs',
  'realpath',
  'readlink',
  'access',
  'opendir',
] as const;
/** Those that change something. */
const writers = [
  ...['writeFile', 'appendFile', 'mkdir', 'mkdtemp', 'rm', 'rmdir', 'unlink', 'rename', 'symlink', 'link', 'copyFile'],
  ...['chmod', 'chown', 'lchown', 'utimes', 'truncate'],
] as const;
/** Functions of `fs` with a callback. */
const callbacks = ['open', 'read', 'close', 'stat', 'lstat', 'readlink'] as const;

type Functions = Record<string, (...args: unknown[]) => unknown>;

/** Directories whose entries have been listed in the order of their names. */
const sorted = (found: unknown): unknown =>
  Array.isArray(found) ? [...found].sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1)) : found;
const nameOf = (entry: unknown): string =>
  typeof entry === 'string' || Buffer.isBuffer(entry) ? String(entry) : (entry as { readonly name: string }).name;

/**
 * Takes the place of Node's asynchronous file functions, for the whole process, until the returned function is called:
 * each operation is done after a `pause`, or at once in the order of the calls. Threads would finish them in an order of
 * their own, which no seed repeats. `judge` decides about each operation. The returned function also closes the files
 * that killed processes have left open.
 */
export function installSimulatedDisk(judge: DiskJudge, pause: DiskPause, show: DiskShow): () => void {
  const real = { ...fs } as unknown as Functions;
  const [promises, plain] = [fs.promises, fs] as unknown as [Functions, Functions];
  const changed = { promises: [...readers, ...writers, 'open'], plain: [...callbacks, 'watch'] };
  const before = { promises: only(promises, changed.promises), plain: only(plain, changed.plain) };

  const asShown = (name: string, path: string, found: unknown): unknown =>
    name === 'readdir' ? sorted(found) : looks.includes(name) ? show(path, found) : found;
  const files = new Set<SimulatedFile>();
  const descriptors = new Set<number>();
  const act = (operation: string, path: string, work: () => unknown, half?: () => void): Promise<unknown> => {
    const [before, after] = [pause(), pause()];
    const done =
      before === undefined
        ? actNow(operation, path, work, half)
        : before.then(() => actNow(operation, path, work, half));
    return after === undefined ? done : done.finally(() => after);
  };
  const actNow = (operation: string, path: string, work: () => unknown, half?: () => void): Promise<unknown> => {
    const verdict = judge(operation, path);
    if (verdict === 'never') return new Promise(() => undefined);
    return new Promise((resolve) => {
      if (verdict === 'done') return resolve(work());
      if (verdict.torn) half?.();
      throw Object.assign(new Error(`${verdict.code}: on demand, ${operation} '${path}'`), { code: verdict.code });
    });
  };

  for (const name of [...readers, ...writers]) {
    const sync = real[`${name}Sync`]!;
    promises[name] = (...args) => {
      const [subject] = args;
      if (subject instanceof SimulatedFile) return (subject as unknown as Functions)[name]!(...args.slice(1));
      // Node's own loader reads a module that is imported for the first time: that is not the machine's disk.
      if (subject instanceof URL) return new Promise((resolve) => resolve(sync(...args)));
      const half = (): void => {
        if (name === 'writeFile' || name === 'appendFile') sync(subject, halfOf(args[1]), args[2]);
      };
      return act(name, String(subject), () => asShown(name, String(subject), sync(...args)), half);
    };
  }
  promises['open'] = (path, flags, mode) =>
    act('open', String(path), () => {
      const descriptor = real['openSync']!(path, flags, mode) as number;
      const file = new SimulatedFile(descriptor, (operation, work, half) => act(operation, String(path), work, half));
      files.add(file);
      return file;
    });
  for (const name of callbacks) {
    const sync = real[`${name}Sync`]!;
    plain[name] = (...args) => {
      const done = args.pop() as (error: unknown, result?: unknown) => void;
      const work = (): unknown => {
        const result = asShown(name, String(args[0]), sync(...args));
        if (name === 'open') descriptors.add(result as number);
        if (name === 'close') descriptors.delete(args[0] as number);
        return result;
      };
      void act(name, String(args[0]), work).then(
        (result) => process.nextTick(done, null, result),
        (error: unknown) => process.nextTick(done, error),
      );
    };
  }
  // The kernel's events come in real time, so there are none: all readers also look periodically.
  plain['watch'] = () => ({ on: () => undefined, close: () => undefined, unref: () => undefined });
  syncBuiltinESMExports();
  return () => {
    for (const file of files) void file.close();
    for (const descriptor of descriptors) (real['closeSync'] as typeof fs.closeSync)(descriptor);
    Object.assign(promises, before.promises);
    Object.assign(plain, before.plain);
    syncBuiltinESMExports();
  };
}

const only = (functions: Functions, names: readonly string[]): Functions =>
  Object.fromEntries(names.map((name) => [name, functions[name]!]));
