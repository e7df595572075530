import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { PodSourceReader } from '@podwright/pod-config-interface';
import type { Clock, Timer } from '@podwright/time';
import { DebouncedSignal } from './debounced-signal.js';
import { ManifestCache } from './manifest-cache.js';
import type { ManifestContent } from './manifest-cache.js';
import type { WatchDirectory } from './path-watcher.js';
import type { StaticPodReader } from './static-pod-reader.js';

export interface FileSourceOptions {
  /** A manifest, or a directory of manifests. */
  readonly path: string;
  /** Time between two looks when nothing told of a change. */
  readonly checkFrequencyMs: number;
}

export interface FileSourceDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reader: StaticPodReader;
  readonly watchDirectory: WatchDirectory;
}

/** `event`: something changed just now, maybe half of it. `periodic`: what is there now is meant. */
type PassKind = 'event' | 'periodic';

const filesAtOnce = 8;
const firstWatchRetryMs = 1000;
const lastWatchRetryMs = 20_000;

/**
 * Static pods from a file or a directory. Changes are acted upon within some 20 ms of the event, and each check period
 * in any case. Source: kubernetes v1.36 pkg/kubelet/config/file.go, file_linux.go.
 */
export class FileSource implements PodSourceReader {
  readonly source = 'file' as const;
  private readonly cache: ManifestCache;
  private readonly signal: DebouncedSignal;
  private readonly lastGood = new Map<string, Pod>();
  private deliver: (pods: readonly Pod[]) => void = () => undefined;
  private delivered: readonly Pod[] | undefined;
  private passes: Promise<void> = Promise.resolve();
  private waiting: PassKind | undefined;
  private periodic: Timer | undefined;
  private watched: { readonly directory: string; readonly inode: string; readonly close: () => void } | undefined;
  private watchRetry: Timer | undefined;
  private watchRetryMs = firstWatchRetryMs;
  private lastProblem = '';
  private stopped = false;

  constructor(
    private readonly deps: FileSourceDeps,
    private readonly options: FileSourceOptions,
  ) {
    this.cache = new ManifestCache(deps.reader, deps.clock, deps.logger);
    this.signal = new DebouncedSignal(deps.clock, () => this.request('event'));
  }

  async open(deliver: (pods: readonly Pod[]) => void): Promise<void> {
    this.deliver = deliver;
    this.request('periodic');
  }

  async close(): Promise<void> {
    this.stopped = true;
    this.signal.cancel();
    this.periodic?.cancel();
    this.unwatch();
    await this.passes;
  }

  originOf(pod: Pod): string | undefined {
    for (const [file, read] of this.lastGood) if (read === pod) return file;
    return undefined;
  }

  /** One pass at a time; requests that come during one are answered by one more. */
  private request(kind: PassKind): void {
    if (this.stopped) return;
    const idle = this.waiting === undefined;
    this.waiting = this.waiting === 'periodic' ? 'periodic' : kind;
    if (!idle) return;
    this.passes = this.passes.then(async () => {
      const pass = this.waiting ?? kind;
      this.waiting = undefined;
      await this.pass(pass);
    });
  }

  private async pass(kind: PassKind): Promise<void> {
    if (this.stopped) return;
    try {
      const pods = await this.scan(kind);
      if (pods !== undefined) this.offer(pods);
    } catch (error) {
      this.report(`${this.options.path}: ${messageOf(error)}`);
    }
    if (kind === 'event' || this.stopped) return;
    this.periodic = this.deps.clock.setTimer(this.options.checkFrequencyMs, () => this.request('periodic'));
  }

  private offer(pods: readonly Pod[]): void {
    if (this.stopped || sameItems(pods, this.delivered)) return;
    this.delivered = pods;
    this.deliver(pods);
  }

  /** The full set, or undefined when nothing can be said about it. */
  private async scan(kind: PassKind): Promise<readonly Pod[] | undefined> {
    const { path } = this.options;
    const found = await stat(path, { bigint: true }).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    });
    // Watched before it is read, so that no change falls in between. A file is renamed into place, so its directory counts.
    await this.watch(found?.isDirectory() === true ? path : dirname(path));
    if (found === undefined) {
      this.report(`${path}: does not exist, so there are no static pods from files`);
      this.cache.keepOnly(new Set());
      this.lastGood.clear();
      return [];
    }
    this.lastProblem = '';
    if (!found.isDirectory()) {
      const content = await this.cache.read(path);
      return content.kind === 'pod' ? [content.pod] : undefined;
    }
    const names = (await readdir(path)).filter((name) => !name.startsWith('.')).sort();
    const paths = names.map((name) => join(path, name));
    const present = new Set(paths);
    this.cache.keepOnly(present);
    for (const file of this.lastGood.keys()) if (!present.has(file)) this.lastGood.delete(file);
    return this.readAll(paths, kind);
  }

  private async readAll(paths: readonly string[], kind: PassKind): Promise<readonly Pod[]> {
    const read = new Map<string, readonly Pod[]>();
    // What was not read yet counts as it was.
    const soFar = (): readonly Pod[] => paths.flatMap((file) => read.get(file) ?? this.lastGood.get(file) ?? []);
    for (let first = 0; first < paths.length; first += filesAtOnce) {
      const chunk = paths.slice(first, first + filesAtOnce);
      const contents = await Promise.all(chunk.map((file) => this.cache.read(file)));
      chunk.forEach((file, index) => read.set(file, this.podOf(file, contents[index] ?? { kind: 'absent' }, kind)));
      // The first pods of many need not wait for the last; but the very first delivery tells what is wanted at all.
      if (this.delivered !== undefined && read.size < paths.length) this.offer(soFar());
    }
    return soFar();
  }

  private podOf(file: string, content: ManifestContent, kind: PassKind): readonly Pod[] {
    if (content.kind === 'pod') {
      this.lastGood.set(file, content.pod);
      return [content.pod];
    }
    const before = this.lastGood.get(file);
    if (content.kind === 'absent') this.lastGood.delete(file);
    if (content.kind === 'absent' || before === undefined) return [];
    // A file that is being written is bad for a moment. Its pod lives on until a regular look finds it bad still.
    if (kind === 'event') return [before];
    this.lastGood.delete(file);
    this.deps.logger.error(`static pod is removed, because its manifest is still bad: ${content.message}`);
    return [];
  }

  private async watch(directory: string): Promise<void> {
    const inode = await stat(directory, { bigint: true }).then(
      ({ dev, ino }) => `${dev}:${ino}`,
      () => undefined,
    );
    if (this.stopped || (inode !== undefined && this.watched?.directory === directory && this.watched.inode === inode))
      return;
    this.unwatch();
    const only = directory === this.options.path ? undefined : basename(this.options.path);
    try {
      if (inode === undefined) throw new Error(`${directory} does not exist`);
      const close = this.deps.watchDirectory(
        directory,
        (name) => {
          if (only === undefined || name === undefined || name === only) this.signal.touch();
        },
        (error) => this.retryWatch(error),
      );
      this.watched = { directory, inode, close };
      this.watchRetryMs = firstWatchRetryMs;
    } catch (error) {
      this.retryWatch(error);
    }
  }

  private retryWatch(error: unknown): void {
    this.unwatch();
    if (this.stopped) return;
    this.deps.logger.debug(2, 'static pod path cannot be watched, looking again later', {
      path: this.options.path,
      retryMs: this.watchRetryMs,
      error,
    });
    this.watchRetry = this.deps.clock.setTimer(this.watchRetryMs, () => this.request('event'));
    this.watchRetryMs = Math.min(lastWatchRetryMs, this.watchRetryMs * 2);
  }

  private unwatch(): void {
    this.watchRetry?.cancel();
    this.watched?.close();
    this.watched = undefined;
  }

  private report(problem: string): void {
    if (problem === this.lastProblem) return;
    this.lastProblem = problem;
    this.deps.logger.error(`static pod path cannot be read: ${problem}`);
  }
}

function sameItems(a: readonly Pod[], b: readonly Pod[] | undefined): boolean {
  return b !== undefined && a.length === b.length && a.every((pod, index) => pod === b[index]);
}
