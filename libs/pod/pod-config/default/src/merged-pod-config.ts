import { CLOCK, LOGGER } from '@podwright/assembly-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import type { EventRecorder } from '@podwright/events-interface';
import { podRef } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { API_POD_SOURCE } from '@podwright/pod-config-interface';
import type { PodConfig, PodOperation, PodSource, PodSourceReader, PodUpdate } from '@podwright/pod-config-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { mergePods } from './merge-pods.js';
import type { KnownPod, MergeResult } from './merge-pods.js';
import { STATIC_POD_SOURCES } from './static-pod-sources.js';

/** {@link PodConfig} that merges any number of sources, each on its own. */
@injectable()
export class MergedPodConfig implements PodConfig {
  private readonly sources: readonly PodSourceReader[];
  private readonly known = new Map<PodSource, ReadonlyMap<string, KnownPod>>();
  /** Deliveries that came before anybody listened. Each is a full set, so the newest one says all. */
  private readonly held = new Map<PodSource, readonly Pod[]>();
  private readonly seen = new Set<PodSource>();
  private listener: ((update: PodUpdate) => void) | undefined;
  private stopped = false;

  constructor(
    @inject(STATIC_POD_SOURCES) staticSources: readonly PodSourceReader[],
    @inject(API_POD_SOURCE, { isOptional: true }) apiSource: PodSourceReader | undefined,
    @inject(EVENT_RECORDER) private readonly events: EventRecorder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sources = apiSource === undefined ? staticSources : [...staticSources, apiSource];
  }

  async start(): Promise<void> {
    if (this.sources.length === 0) this.logger.warn('no pod source is configured, this node will run no pods');
    for (const reader of this.sources) await reader.start((pods) => this.deliver(reader.source, pods));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.sources.map((reader) => reader.stop()));
  }

  watch(listener: (update: PodUpdate) => void): () => void {
    this.listener = listener;
    const held = [...this.held];
    this.held.clear();
    for (const [source, pods] of held) this.deliver(source, pods);
    return () => {
      if (this.listener === listener) this.listener = undefined;
    };
  }

  markSeen(source: PodSource): void {
    this.seen.add(source);
  }

  allSourcesReady(): boolean {
    return this.sources.every(({ source }) => this.known.has(source) && this.seen.has(source));
  }

  private deliver(source: PodSource, pods: readonly Pod[]): void {
    if (this.stopped) return;
    if (this.listener === undefined) {
      this.held.set(source, pods);
      return;
    }
    const before = this.known.get(source);
    const seenAt = new Date(this.clock.now()).toISOString().replace('Z', '000000Z');
    const merged = mergePods(before ?? new Map(), pods, source, seenAt);
    this.known.set(source, merged.known);
    for (const pod of merged.duplicates) this.reportDuplicate(pod, source);
    this.emit(source, merged, before === undefined);
  }

  private emit(source: PodSource, merged: MergeResult, first: boolean): void {
    const send = (op: PodOperation, pods: readonly Pod[]): void => {
      if (pods.length > 0) this.listener?.({ op, source, pods });
    };
    send('REMOVE', merged.removed);
    send('ADD', merged.added);
    send('UPDATE', merged.updated);
    send('DELETE', merged.deleted);
    const silent = merged.added.length + merged.updated.length + merged.deleted.length === 0;
    // An empty set is news too: the loop marks the source as seen when it has handled it.
    if (first && silent) this.listener?.({ op: 'ADD', source, pods: [] });
    send('RECONCILE', merged.reconciled);
  }

  private reportDuplicate(pod: Pod, source: PodSource): void {
    const name = pod.metadata.name ?? '';
    const message = `Error validating pod ${podRef(pod)} from ${source} due to duplicate pod name ${JSON.stringify(name)}, ignoring`;
    this.events.event({ kind: 'Pod', pod }, 'Warning', 'FailedValidation', message);
    this.logger.warn(message);
  }
}
