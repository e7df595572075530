import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing, messageOf } from '@podwright/errors';
import { DirectoryWatch, type WatchDirectory } from '@podwright/filesystem';
import type { Journal } from '@podwright/journal-interface';
import type { Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { PodSourceReader } from '@podwright/pod-config-interface';
import type { Clock, Timer } from '@podwright/time';
import { ManifestCache } from './manifest-cache.js';
import type { ManifestContent } from './manifest-cache.js';
import { ReplacedEntries } from './replaced-entries.js';
import type { StaticPodReader } from './static-pod-reader.js';

export interface FileSourceOptions {
  /** A manifest, or a directory of manifests. */
  readonly path: string;
  /** Time between two checks when no event reports a change. */
  readonly checkFrequencyMs: number;
}

export interface FileSourceDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reader: StaticPodReader;
  readonly journal?: Journal | undefined;
  /** Default: inotify. */
  readonly watchDirectory?: WatchDirectory;
}

/** `event`: something has just changed, perhaps incompletely. `periodic`: the files are read as they are. */
type PassKind = 'event' | 'periodic';

const filesAtOnce = 8;
// Long enough to read a burst of files in few passes, short enough to go unnoticed.
const settle = { quietMs: 15, mostMs: 100 };
const retry = { firstMs: 1000, longestMs: 20_000 };

/**
 * Static pods from a file or a directory. Reacts within some 20 ms to an event, and checks once per period in any case.
 * Source: kubernetes v1.36 pkg/kubelet/config/file.go, file_linux.go.
 */
export class FileSource implements PodSourceReader {
  readonly source = 'file' as const;
  private readonly cache: ManifestCache;
  private readonly lastGood = new Map<string, Pod>();
  /** Files with a pod in `lastGood` that the latest periodic pass found bad. */
  private readonly doubted = new Set<string>();
  private readonly replaced: ReplacedEntries;
  private deliver: (pods: readonly Pod[]) => void = () => undefined;
  private delivered: readonly Pod[] | undefined;
  private passes: Promise<void> = Promise.resolve();
  private waiting: PassKind | undefined;
  private periodic: Timer | undefined;
  private watched: DirectoryWatch | undefined;
  private lastProblem = '';
  private stopped = false;

  constructor(
    private readonly deps: FileSourceDeps,
    private readonly options: FileSourceOptions,
  ) {
    this.cache = new ManifestCache(deps);
    this.replaced = new ReplacedEntries(deps.clock, (name) => this.isKnown(name));
  }

  async open(deliver: (pods: readonly Pod[]) => void): Promise<void> {
    this.deliver = deliver;
    this.request('periodic');
  }

  async close(): Promise<void> {
    this.stopped = true;
    this.periodic?.cancel();
    this.watched?.close();
    await this.passes;
  }

  originOf(pod: Pod): string | undefined {
    for (const [file, read] of this.lastGood) if (read === pod) return file;
    return undefined;
  }

  /** Runs one pass at a time; requests during a pass cause one more. */
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

  /** The full set of pods, or undefined when it cannot be determined. */
  private async scan(kind: PassKind): Promise<readonly Pod[] | undefined> {
    const { path } = this.options;
    const found = await stat(path, { bigint: true }).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    // Watch before reading, so that no change is missed. A file is renamed into place, so watch its directory.
    await this.watch(found?.isDirectory() === true ? path : dirname(path));
    if (found === undefined) {
      this.report(`${path}: does not exist, so there are no static pods from files`);
      this.cache.keepOnly(new Set());
      this.lastGood.clear();
      return [];
    }
    this.settled();
    if (!found.isDirectory()) {
      const replaced = await this.replaced.take([basename(path)], () => this.cache.isUnchanged(path));
      if (replaced.length > 0) this.offer([]);
      const content = await this.cache.read(path);
      return content.kind === 'pod' ? [content.pod] : undefined;
    }
    const names = (await readdir(path)).filter((name) => !name.startsWith('.')).sort();
    const paths = names.map((name) => join(path, name));
    const present = new Set(paths);
    this.cache.keepOnly(present);
    for (const file of this.lastGood.keys()) if (!present.has(file)) this.lastGood.delete(file);
    for (const file of this.doubted) if (!this.lastGood.has(file)) this.doubted.delete(file);
    await this.endReplaced(names, paths);
    return this.readAll(paths, kind);
  }

  /** A manifest that was removed and made anew ends its pod, even if it is the same manifest. */
  private async endReplaced(names: readonly string[], paths: readonly string[]): Promise<void> {
    const fileOf = (name: string): string => join(this.options.path, name);
    const replaced = await this.replaced.take(names, (name) => this.cache.isUnchanged(fileOf(name)));
    if (replaced.length === 0) return;
    for (const name of replaced) this.lastGood.delete(fileOf(name));
    this.offer(paths.flatMap((file) => this.lastGood.get(file) ?? []));
  }

  private isKnown(name: string): boolean {
    const { path } = this.options;
    if (this.watched?.directory === path) return this.lastGood.has(join(path, name));
    return name === basename(path) && this.delivered !== undefined && this.delivered.length > 0;
  }

  private async readAll(paths: readonly string[], kind: PassKind): Promise<readonly Pod[]> {
    const read = new Map<string, readonly Pod[]>();
    // Files not read yet count as before.
    const soFar = (): readonly Pod[] => paths.flatMap((file) => read.get(file) ?? this.lastGood.get(file) ?? []);
    for (let first = 0; first < paths.length; first += filesAtOnce) {
      const chunk = paths.slice(first, first + filesAtOnce);
      const contents = await Promise.all(chunk.map((file) => this.cache.read(file)));
      chunk.forEach((file, index) => read.set(file, this.podOf(file, contents[index] ?? { kind: 'absent' }, kind)));
      // Deliver in parts, so that the first of many pods need not wait for the last; but the first delivery must be
      // complete.
      if (this.delivered !== undefined && read.size < paths.length) this.offer(soFar());
    }
    return soFar();
  }

  private podOf(file: string, content: ManifestContent, kind: PassKind): readonly Pod[] {
    if (content.kind === 'pod') {
      this.doubted.delete(file);
      this.lastGood.set(file, content.pod);
      return [content.pod];
    }
    const before = this.lastGood.get(file);
    if (content.kind === 'absent') this.lastGood.delete(file);
    if (content.kind === 'absent' || before === undefined) return [];
    // A file that is being written is briefly invalid. Keep its pod until it was invalid for a whole period.
    if (kind === 'event') return [before];
    if (!this.doubted.delete(file)) {
      this.doubted.add(file);
      return [before];
    }
    this.lastGood.delete(file);
    this.deps.logger.error(`static pod is removed, because its manifest is still bad: ${content.message}`);
    return [];
  }

  private async watch(directory: string): Promise<void> {
    if (this.stopped) return;
    const { path } = this.options;
    if (this.watched?.directory !== directory) {
      this.watched?.close();
      this.watched = new DirectoryWatch(this.deps, {
        ...{ directory, settle, retry },
        ...(directory !== path && { only: [basename(path)] }),
        onChange: () => this.request('event'),
        onEvent: (name, kind) => this.replaced.note(name, kind),
        onLost: (error, retryMs) =>
          this.deps.logger.debug(2, 'static pod path cannot be watched, retrying later', { path, retryMs, error }),
      });
    }
    await this.watched.renew();
  }

  private settled(): void {
    if (this.lastProblem === '') return;
    this.lastProblem = '';
    const { path: origin } = this.options;
    this.deps.journal?.report({ kind: 'manifest.settled', source: this.source, origin, outcome: 'accepted' });
  }

  private report(problem: string): void {
    if (problem === this.lastProblem) return;
    this.lastProblem = problem;
    this.deps.logger.error(`static pod path cannot be read: ${problem}`);
    const { path: origin } = this.options;
    this.deps.journal?.report({ kind: 'manifest.refused', source: this.source, origin, error: problem });
  }
}

function sameItems(a: readonly Pod[], b: readonly Pod[] | undefined): boolean {
  return b !== undefined && a.length === b.length && a.every((pod, index) => pod === b[index]);
}
