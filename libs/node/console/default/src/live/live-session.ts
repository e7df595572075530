import type { ConsoleMessage, ConsoleSnapshot } from '@podwright/console-interface';
import { withDeadline } from '@podwright/concurrency';
import { hasCode, KubeletError } from '@podwright/errors';
import { podUidsOf, type DecisionKind, type JournalEntry } from '@podwright/journal-interface';
import { FailureLog } from '@podwright/logging';
import type { ConsoleConfig } from '../console-config.js';
import type { ConsoleParts } from '../console-needs.js';
import { ImageList } from '../images/image-list.js';
import { isAboutNode, NodeView } from '../node/node-view.js';
import { devicesBelow } from '../node/network-rate.js';
import { NodeSampler } from '../node/node-sampler.js';
import type { SampleHistory } from '../node/sample-history.js';
import { PodLanes } from '../pods/pod-lanes.js';
import { PodRows } from '../pods/pod-rows.js';
import { JournalBatch } from './journal-batch.js';

const tickMs = 1_000;
const ticksPerSample = 2;
const ticksPerFacts = 5;
const shownEntries = 200;
const firstImagesTimeoutMs = 2_000;
const aboutImages: ReadonlySet<DecisionKind> = new Set([
  ...(['image.pull', 'image.gc', 'image.removed', 'container.started', 'container.removed'] as const),
]);

/** All that is kept and done while somebody watches. It begins with the first watcher and ends with the last. */
export class LiveSession {
  private readonly stopping = new AbortController();
  private readonly rows: PodRows;
  private readonly lanes: PodLanes;
  private readonly images: ImageList;
  private readonly node: NodeView;
  private readonly sampler: NodeSampler;
  private readonly batch: JournalBatch;
  private readonly failures: FailureLog;
  private readonly unsubscribe: readonly (() => void)[];
  private opening: Promise<void> = Promise.resolve();
  private loop: Promise<void> = Promise.resolve();
  private background: Promise<void> | undefined;
  private ticks = 0;

  constructor(
    private readonly parts: ConsoleParts,
    config: Pick<ConsoleConfig, 'nodeName' | 'hostRoot'> & { readonly startedMs: number },
    private readonly history: SampleHistory,
    private readonly tell: (message: ConsoleMessage) => void,
  ) {
    const { clock, journal, logger, statuses } = parts;
    this.rows = new PodRows(parts);
    this.lanes = new PodLanes(parts);
    this.sampler = new NodeSampler(parts, devicesBelow(config.hostRoot));
    this.images = new ImageList(parts, () => this.sampler.imageFs);
    this.node = new NodeView(parts, config);
    this.batch = new JournalBatch(clock, (data) => this.tell({ name: 'journal', data }));
    this.failures = new FailureLog(logger, clock);
    this.unsubscribe = [
      journal.follow((entry) => this.take(entry)),
      statuses.watch((uid) => {
        this.rows.touch(uid);
        this.lanes.touch(uid);
      }),
    ];
  }

  /** Resolves when there is something to show; rejects when it is stopped before. */
  open(): Promise<void> {
    this.opening = this.readAll();
    return this.opening;
  }

  snapshot(): ConsoleSnapshot {
    const { clock, journal } = this.parts;
    const explanation = this.node.explanation();
    if (explanation === undefined) throw new KubeletError('the console has not begun', { code: 'failed-precondition' });
    const atMs = clock.now();
    return {
      ...{ atMs, explanation, node: this.node.facts(), history: this.history.list(atMs) },
      ...{ pods: this.rows.rows(), lanes: this.lanes.lanes(), images: this.images.view() },
      journal: journal.recent().slice(-shownEntries),
    };
  }

  /** Resolves when nothing of it is left. */
  async stop(): Promise<void> {
    for (const each of this.unsubscribe) each();
    this.batch.stop();
    this.stopping.abort(new KubeletError('nobody watches the console any more', { code: 'cancelled' }));
    await Promise.all([this.opening.catch(() => undefined), this.loop, this.background]);
  }

  private async readAll(): Promise<void> {
    const { signal } = this.stopping;
    await Promise.all([
      this.rows.refresh(signal),
      this.lanes.refresh(),
      this.listImagesSoon(signal),
      this.node.changedExplanation(signal),
    ]);
    signal.throwIfAborted();
    if (this.node.explanation() === undefined) {
      throw new KubeletError('the node cannot be explained at the moment; the log has the reason', {
        code: 'unavailable',
      });
    }
    this.images.changed();
    this.loop = this.parts.clock.every(tickMs, () => this.tick(), signal);
  }

  /** A runtime that hangs does not hold up the first page. */
  private async listImagesSoon(signal: AbortSignal): Promise<void> {
    try {
      await withDeadline(this.parts.clock, firstImagesTimeoutMs, () => this.images.list(signal));
    } catch (error) {
      if (!hasCode(error, 'deadline-exceeded')) throw error;
    }
  }

  // While it is reported, so it must only note.
  private take(entry: JournalEntry): void {
    this.batch.add(entry);
    for (const uid of podUidsOf(entry)) {
      this.rows.touch(uid);
      this.lanes.touch(uid);
    }
    if (entry.kind === 'sync.paused' || entry.kind === 'sync.resumed') this.rows.touchAll();
    if (aboutImages.has(entry.kind)) this.images.touch();
    if (isAboutNode(entry.kind)) this.node.touch();
  }

  private async tick(): Promise<void> {
    const { signal } = this.stopping;
    try {
      const [pods, lanes] = await Promise.all([this.rows.refresh(signal), this.lanes.refresh()]);
      const facts = this.ticks % ticksPerFacts === 0 ? this.node.changedFacts() : undefined;
      const sample = this.ticks % ticksPerSample === 0 ? await this.sampler.sample(signal) : undefined;
      const images = this.images.changed();
      this.ticks++;
      if (signal.aborted) return;
      if (pods.changed.length + pods.removed.length > 0) this.tell({ name: 'pods', data: pods });
      if (lanes.changed.length + lanes.removed.length > 0) this.tell({ name: 'lanes', data: lanes });
      if (facts !== undefined) this.tell({ name: 'facts', data: facts });
      if (images !== undefined) this.tell({ name: 'images', data: images });
      if (sample !== undefined) {
        this.history.add(sample);
        this.tell({ name: 'sample', data: sample });
      }
      this.failures.over('The console is up to date again');
    } catch (error) {
      if (!signal.aborted) this.failures.failed('tick', 'The console cannot be brought up to date', { error });
    }
    // A runtime or a disk that hangs must not hold up the rest.
    this.background ??= this.readSlowly(signal).finally(() => (this.background = undefined));
  }

  private async readSlowly(signal: AbortSignal): Promise<void> {
    const [explanation] = await Promise.all([this.node.changedExplanation(signal), this.images.list(signal)]);
    if (explanation !== undefined && !signal.aborted) this.tell({ name: 'node', data: explanation });
  }
}
