import { createHash } from 'node:crypto';
import path from 'node:path';
import { CLOCK, LOGGER, METRICS, RANDOM, needs, type Needs } from '@podwright/assembly-interface';
import { ChangeWriter } from '@podwright/checkpoint';
import { mapLimit } from '@podwright/concurrency';
import type { Gauge } from '@podwright/metrics';
import type { OfflineCopy, OfflineKind, OfflineObjects, OfflineRef } from '@podwright/offline-objects-interface';
import type { Timer } from '@podwright/time';
import { CopiesInUse } from './copies-in-use.js';
import type { FileOfflineObjectsConfig } from './file-offline-objects-config.js';
import { SavedFiles } from './saved-files.js';
import { sealedFileName } from './sealed-file.js';
import { untilAway } from './until-away.js';

const parallelWrites = 4;
const retryMs = 10_000;

export const fileOfflineObjectsNeeds = needs({ clock: CLOCK, random: RANDOM, logger: LOGGER, metrics: METRICS });

/** What is on disk. The content itself is not kept in memory. */
interface Saved {
  readonly ref: OfflineRef;
  readonly digest: string;
  readonly bytes: number;
}

interface Change {
  readonly ref: OfflineRef;
  /** Undefined: remove it. */
  readonly object: object | (() => object) | undefined;
}

/** {@link OfflineObjects} in encrypted files, one per object, below the kubelet's state directory. */
export class FileOfflineObjects implements OfflineObjects {
  private readonly files: SavedFiles;
  private readonly saved = new Map<string, Saved>();
  private readonly changes = new Map<string, Change>();
  private readonly writer = new ChangeWriter(() => this.writeChanges());
  private readonly inUse: CopiesInUse;
  private readonly kept: Gauge;
  private later: Timer | undefined;
  private usable = false;
  private stopped = false;
  private refusing = false;
  private readonly tooLarge = new Set<string>();

  constructor(
    private readonly deps: Needs<typeof fileOfflineObjectsNeeds>,
    private readonly config: FileOfflineObjectsConfig,
  ) {
    const { rootDir, keyFile } = config;
    this.files = new SavedFiles({ directory: path.join(rootDir, 'offline_objects'), keyFile }, deps);
    this.inUse = new CopiesInUse(deps.logger, deps.metrics);
    this.kept = deps.metrics.gauge({
      name: 'podwright_offline_objects',
      help: 'Number of API objects that are saved on disk for a start without API server.',
      labels: ['kind'],
    });
  }

  /** Never rejects: a node that cannot save objects is an ordinary node. */
  async start(): Promise<void> {
    const { logger } = this.deps;
    try {
      for (const { copy, bytes } of await this.files.open()) {
        const digest = digestOf(JSON.stringify(copy.object));
        this.saved.set(sealedFileName(copy.ref), { ref: copy.ref, digest, bytes });
      }
      this.usable = true;
    } catch (error) {
      this.saved.clear();
      const message = 'Objects cannot be saved: after a reboot without API server, pods will not start';
      logger.error(message, { rootDir: this.config.rootDir, error });
      return;
    }
    logger.info('Objects are saved for a start without API server', { saved: this.count() });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.flushed();
  }

  keep(ref: OfflineRef, object: object | (() => object)): void {
    this.inUse.end(ref);
    const isKnown = this.saved.has(sealedFileName(ref));
    this.change({ ref, object }, isKnown ? this.config.changeDelayMs : 0);
  }

  forget(ref: OfflineRef): void {
    this.inUse.end(ref);
    const name = sealedFileName(ref);
    this.tooLarge.delete(name);
    if (this.saved.has(name) || this.changes.has(name)) this.change({ ref, object: undefined }, 0);
  }

  async get<T>(ref: OfflineRef): Promise<OfflineCopy<T> | undefined> {
    const name = sealedFileName(ref);
    const change = this.changes.get(name);
    if (change !== undefined) {
      const { object } = change;
      return object && { ref, object: contentOf(object) as T, savedAtMs: this.deps.clock.now() };
    }
    if (!this.saved.has(name)) return undefined;
    const copy = await this.files.read(ref);
    if (copy === undefined) this.saved.delete(name);
    return copy as OfflineCopy<T> | undefined;
  }

  async list<T>(kind: OfflineKind): Promise<readonly OfflineCopy<T>[]> {
    const copies = await mapLimit(this.refs(kind), parallelWrites, (ref) => this.get<T>(ref));
    return copies.filter((copy) => copy !== undefined);
  }

  refs(kind: OfflineKind): readonly OfflineRef[] {
    const all = new Map([...this.saved].map(([name, { ref }]) => [name, ref]));
    for (const [name, { ref, object }] of this.changes) {
      if (object === undefined) all.delete(name);
      else all.set(name, ref);
    }
    const key = ({ namespace, name }: OfflineRef): string => `${namespace}/${name}`;
    return [...all.values()].filter((ref) => ref.kind === kind).sort((a, b) => (key(a) < key(b) ? -1 : 1));
  }

  use(copies: readonly OfflineCopy[]): void {
    this.inUse.begin(copies);
  }

  away(synced: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<boolean> {
    return untilAway(this.deps.clock, { synced, afterMs: this.config.offlineAfterMs, signal });
  }

  async flushed(): Promise<void> {
    this.later?.cancel();
    this.later = undefined;
    this.writer.changed();
    await this.writer.flushed();
  }

  private change(change: Change, delayMs: number): void {
    if (!this.usable || this.stopped) return;
    this.changes.set(sealedFileName(change.ref), change);
    if (delayMs === 0) this.writer.changed();
    else this.writeLater(delayMs);
  }

  private writeLater(delayMs: number): void {
    this.later ??= this.deps.clock.setTimer(delayMs, () => {
      this.later = undefined;
      this.writer.changed();
    });
  }

  // What changes during the writes stays in `changes`, for the next pass. One file that fails holds up no other.
  private async writeChanges(): Promise<void> {
    const failures: unknown[] = [];
    await mapLimit([...this.changes], parallelWrites, async ([name, change]) => {
      try {
        await this.apply(name, change);
        if (this.changes.get(name) === change) this.changes.delete(name);
      } catch (error) {
        failures.push(error);
      }
    });
    this.count();
    this.report(failures);
  }

  private async apply(name: string, { ref, object }: Change): Promise<void> {
    const json = object && this.fitting(name, ref, JSON.stringify(contentOf(object)));
    if (json === undefined) {
      // An older copy of what does not fit would be wrong, too.
      if (this.saved.has(name)) await this.files.remove(ref);
      this.saved.delete(name);
      return;
    }
    const digest = digestOf(json);
    if (this.saved.get(name)?.digest === digest) return;
    const bytes = await this.files.write({ ref, json, savedAtMs: this.deps.clock.now() });
    this.saved.set(name, { ref, digest, bytes });
    this.deps.logger.debug(4, 'Saved an object', { ...ref, bytes });
  }

  /** Undefined for an object that is too large; the log says so once. */
  private fitting(name: string, ref: OfflineRef, json: string): string | undefined {
    const { maxBytes, maxObjectBytes } = this.config;
    const bytes = Buffer.byteLength(json);
    const others = [...this.saved].reduce((sum, [other, saved]) => (other === name ? sum : sum + saved.bytes), 0);
    if (bytes <= maxObjectBytes && others + bytes <= maxBytes) {
      this.tooLarge.delete(name);
      return json;
    }
    if (!this.tooLarge.has(name))
      this.deps.logger.error('An object is too large to be saved', { ...ref, bytes, maxObjectBytes, maxBytes });
    this.tooLarge.add(name);
    return undefined;
  }

  private report([failure]: readonly unknown[]): void {
    if (failure !== undefined && !this.stopped) this.writeLater(retryMs);
    if (failure !== undefined && !this.refusing)
      this.deps.logger.error('Objects cannot be saved, trying again', { error: failure });
    else if (failure === undefined && this.refusing) this.deps.logger.info('Objects can be saved again');
    this.refusing = failure !== undefined;
  }

  private count(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const { ref } of this.saved.values()) counts[ref.kind] = (counts[ref.kind] ?? 0) + 1;
    this.kept.clear();
    for (const [kind, count] of Object.entries(counts)) this.kept.set(count, { kind });
    return counts;
  }
}

const contentOf = (object: object | (() => object)): object =>
  typeof object === 'function' ? (object as () => object)() : object;

const digestOf = (json: string): string => createHash('sha256').update(json).digest('hex');
