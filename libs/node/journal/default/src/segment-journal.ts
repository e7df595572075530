import path from 'node:path';
import { CLOCK, LOGGER, needs, type Lifecycle, type Needs } from '@podwright/assembly-interface';
import { withDeadline } from '@podwright/concurrency';
import { hasCode } from '@podwright/errors';
import {
  fitsFilter,
  type Decision,
  type DecisionKind,
  type Journal,
  type JournalEntry,
  type JournalFilter,
  type JournalReader,
} from '@podwright/journal-interface';
import type { Logger } from '@podwright/logging';
import { SegmentFiles } from './disk/segment-files.js';
import { readSegments } from './disk/segment-reader.js';
import { SegmentWriter } from './disk/segment-writer.js';
import { encodeEntry } from './encode-entry.js';
import { RecentEntries } from './memory/recent-entries.js';
import { mergeByNumber } from './merge-by-number.js';
import type { SegmentJournalConfig } from './segment-journal-config.js';

export const segmentJournalNeeds = needs({ clock: CLOCK, logger: LOGGER });

// Shorter than the process's limit for one manager.
const stopTimeoutMs = 400;
// Numbers are microseconds of the wall clock, or follow each other when more come: so they grow over processes, too.
const numbersPerMs = 1_000;

/** {@link Journal} with bounded memory and segment files below the kubelet's state directory. */
export class SegmentJournal implements Journal, JournalReader, Lifecycle {
  private readonly memory: RecentEntries;
  private readonly files: SegmentFiles;
  private readonly writer: SegmentWriter | undefined;
  private readonly logger: Logger;
  private readonly followers = new Set<(entry: JournalEntry) => void>();
  private lastSeq = 0;

  constructor(
    private readonly deps: Needs<typeof segmentJournalNeeds>,
    private readonly config: SegmentJournalConfig,
  ) {
    this.logger = deps.logger.with({ logger: 'journal' });
    this.memory = new RecentEntries(config);
    this.files = new SegmentFiles(path.join(config.rootDir, 'journal'));
    const onLost = (entries: number, cause: 'buffer' | 'disk', error?: string): void =>
      this.report({ kind: 'journal.lost', entries, cause, ...(error !== undefined && { error }) });
    if (config.maxDiskBytes > 0) {
      const { clock } = deps;
      this.writer = new SegmentWriter({ files: this.files, clock, logger: this.logger, onLost }, config);
    }
  }

  /** Touches no disk: earlier segments are read when somebody asks for them. */
  async start(): Promise<void> {
    this.report({ kind: 'journal.opened', pid: process.pid });
  }

  async stop(): Promise<void> {
    try {
      await withDeadline(this.deps.clock, stopTimeoutMs, async () => this.writer?.stop());
    } catch (error) {
      if (!hasCode(error, 'deadline-exceeded')) throw error;
      this.logger.warn('the end of the journal may not be on disk', { waitedMs: stopTimeoutMs });
    }
  }

  report(decision: Decision): void {
    const atMs = this.deps.clock.now();
    this.lastSeq = Math.max(this.lastSeq + 1, Math.floor(atMs) * numbersPerMs);
    try {
      const encoded = encodeEntry({ ...decision, seq: this.lastSeq, atMs }, this.config.maxEntryBytes);
      this.memory.add(encoded.entry, encoded.line.length);
      this.writer?.add(encoded);
      if (this.followers.size > 0) this.tell(encoded.entry);
    } catch (error) {
      this.logger.error('a decision is missing in the journal: it is no JSON', { kind: decision.kind, error });
    }
  }

  recent<K extends DecisionKind = DecisionKind>(filter: JournalFilter<K> = {}): readonly JournalEntry<K>[] {
    return this.memory.find(filter);
  }

  async *stored<K extends DecisionKind = DecisionKind>(
    filter: JournalFilter<K> = {},
    signal?: AbortSignal,
  ): AsyncIterable<JournalEntry<K>> {
    // Taken first: what is written meanwhile is then found in both, and what leaves memory is on disk.
    const fresh = new Map(this.memory.find(filter).map((entry) => [entry.seq, entry]));
    for (const { entry } of this.writer?.waiting() ?? []) if (fitsFilter(entry, filter)) fresh.set(entry.seq, entry);
    const inMemory = [...fresh.values()].sort((left, right) => left.seq - right.seq);
    yield* mergeByNumber(this.onDisk(filter, signal), inMemory);
  }

  follow<K extends DecisionKind = DecisionKind>(
    listener: (entry: JournalEntry<K>) => void,
    filter: JournalFilter<K> = {},
  ): () => void {
    const take = (entry: JournalEntry): void => {
      if (fitsFilter(entry, filter)) listener(entry);
    };
    this.followers.add(take);
    return () => void this.followers.delete(take);
  }

  /** A disk that cannot be read costs only the disk's part. */
  private async *onDisk<K extends DecisionKind>(
    filter: JournalFilter<K>,
    signal: AbortSignal | undefined,
  ): AsyncIterable<JournalEntry<K>> {
    try {
      yield* readSegments(this.files, filter, signal);
    } catch (error) {
      signal?.throwIfAborted();
      this.logger.warn('The journal on disk cannot be read', { directory: this.files.directory, error });
    }
  }

  private tell(entry: JournalEntry): void {
    for (const take of [...this.followers]) {
      try {
        take(entry);
      } catch (error) {
        this.logger.error('a listener of the journal has failed', { kind: entry.kind, error });
      }
    }
  }
}
