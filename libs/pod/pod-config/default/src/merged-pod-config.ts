import { CLOCK, LOGGER, needs, optional, type Needs } from '@podwright/assembly-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { JOURNAL, journalPod, type PodReceived } from '@podwright/journal-interface';
import { isMirrorPod, podFullName, podRef, podUid } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';
import { API_POD_SOURCE, LOCAL_POD_SOURCE } from '@podwright/pod-config-interface';
import type {
  DeliverPods,
  PodConfig,
  PodOperation,
  PodSource,
  PodSourceReader,
  PodUpdate,
} from '@podwright/pod-config-interface';
import { formatRfc3339 } from '@podwright/time';
import { mergePods } from './merge-pods.js';
import type { Duplicate, KnownPod, MergeResult } from './merge-pods.js';

export const podConfigNeeds = needs({
  clock: CLOCK,
  logger: LOGGER,
  events: EVENT_RECORDER,
  /** The pods that people put through the local API, if there is one. */
  localSource: optional(LOCAL_POD_SOURCE),
  /** The API server's pods, if there is one. */
  apiSource: optional(API_POD_SOURCE),
  journal: optional(JOURNAL),
});
export type PodConfigNeeds = Needs<typeof podConfigNeeds>;

/** A change of the status alone is nothing new to the kubelet, who wrote it. */
const operations: Readonly<Partial<Record<PodOperation, PodReceived['operation']>>> = {
  ADD: 'add',
  UPDATE: 'update',
  DELETE: 'delete',
  REMOVE: 'remove',
};

/** {@link PodConfig} that merges any number of sources, each separately. */
export class MergedPodConfig implements PodConfig {
  private readonly sources: readonly PodSourceReader[];
  private readonly known = new Map<PodSource, ReadonlyMap<string, KnownPod>>();
  /** Deliveries before there was a listener. Each is a full set, so the newest suffices. */
  private readonly held = new Map<PodSourceReader, Parameters<DeliverPods>>();
  private readonly seen = new Set<PodSource>();
  /** Sources that have delivered more than what they remember. */
  private readonly read = new Set<PodSource>();
  /** Duplicates of the last delivery, by the pod that they clash with: logged once while they last. */
  private readonly clashes = new Map<PodSource, ReadonlySet<string>>();
  private listener: ((update: PodUpdate) => void) | undefined;
  private stopped = false;
  /** When what a source remembers was delivered. */
  private rememberedSince = '';

  constructor(
    private readonly deps: PodConfigNeeds,
    staticSources: readonly PodSourceReader[],
  ) {
    this.sources = [...staticSources, deps.localSource, deps.apiSource].filter((source) => source !== undefined);
  }

  async start(): Promise<void> {
    if (this.sources.length === 0) this.deps.logger.warn('no pod source is configured, this node will run no pods');
    for (const reader of this.sources) await reader.open((...delivery) => this.deliver(reader, ...delivery));
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.sources.map((reader) => reader.close()));
  }

  watch(listener: (update: PodUpdate) => void): () => void {
    this.listener = listener;
    const held = new Map(this.held);
    this.held.clear();
    // Static pods first, whoever answered first: upstream waits a second before it asks the API server.
    for (const reader of this.sources) {
      const delivery = held.get(reader);
      if (delivery !== undefined) this.deliver(reader, ...delivery);
    }
    return () => {
      if (this.listener === listener) this.listener = undefined;
    };
  }

  markSeen(source: PodSource): void {
    this.seen.add(source);
  }

  allSourcesReady(): boolean {
    return this.sources.every(({ source }) => this.read.has(source) && this.seen.has(source));
  }

  private deliver(reader: PodSourceReader, ...delivery: Parameters<DeliverPods>): void {
    if (this.stopped) return;
    if (this.listener === undefined) {
      this.held.set(reader, delivery);
      return;
    }
    const { source } = reader;
    const [pods, as = 'current'] = delivery;
    const before = this.known.get(source);
    const first = as === 'current' && !this.read.has(source);
    if (first) this.read.add(source);
    // Until the loop has handled this delivery, pods that the source did not remember would seem unwanted.
    if (first && before !== undefined) this.seen.delete(source);
    const seenAt = formatRfc3339(this.deps.clock.now(), 9);
    const merged = mergePods(before ?? new Map(), pods, source, seenAt);
    this.known.set(source, merged.known);
    this.reportDuplicates(merged.duplicates, reader);
    this.emit(source, merged, first);
    if (as === 'remembered') this.tellMemory(merged.known, seenAt);
    else if (first && before !== undefined) this.tellReturn(merged.known, before);
  }

  private emit(source: PodSource, merged: MergeResult, first: boolean): void {
    const send = (op: PodOperation, pods: readonly Pod[]): void => {
      if (pods.length === 0) return;
      const operation = operations[op];
      if (operation !== undefined) for (const pod of pods) this.journalize(pod, source, operation);
      this.listener?.({ op, source, pods });
    };
    send('REMOVE', merged.removed);
    send('ADD', merged.added);
    send('UPDATE', merged.updated);
    send('DELETE', merged.deleted);
    const silent = merged.added.length + merged.updated.length + merged.deleted.length === 0;
    // Deliver an empty set too: the loop marks the source as seen when it has handled the delivery.
    if (first && silent) this.listener?.({ op: 'ADD', source, pods: [] });
    send('RECONCILE', merged.reconciled);
  }

  private journalize(pod: Pod, source: PodSource, operation: PodReceived['operation']): void {
    if (isMirrorPod(pod)) return;
    const { creationTimestamp, finalizers = [], generation } = pod.metadata;
    this.deps.journal?.report({
      kind: 'pod.received',
      pod: journalPod(pod),
      source,
      operation,
      ...(generation !== undefined && { generation }),
      ...(creationTimestamp !== undefined && { createdAtMs: Date.parse(creationTimestamp) }),
      ...(finalizers.length > 0 && { finalizers }),
    });
  }

  private tellMemory(pods: ReadonlyMap<string, KnownPod>, since: string): void {
    const message = 'API server cannot be reached: the pod runs as it was saved, which may be out of date';
    for (const { pod } of pods.values())
      this.deps.events.event({ kind: 'Pod', pod }, 'Warning', 'APIServerAway', message);
    this.rememberedSince = since;
  }

  // The first event may have been given up before the server was back.
  private tellReturn(pods: ReadonlyMap<string, KnownPod>, before: ReadonlyMap<string, KnownPod>): void {
    const message = `API server answers again: the pod ran as it was saved, from ${this.rememberedSince} until now`;
    for (const [uid, { pod }] of pods)
      if (before.has(uid)) this.deps.events.event({ kind: 'Pod', pod }, 'Normal', 'APIServerBack', message);
  }

  private reportDuplicates(duplicates: readonly Duplicate[], reader: PodSourceReader): void {
    const { source } = reader;
    const before = this.clashes.get(source);
    const now = new Map(duplicates.map((duplicate) => [clashKey(duplicate), duplicate]));
    this.clashes.set(source, new Set(now.keys()));
    for (const [key, { pod, of }] of now) {
      if (before?.has(key) === true) continue;
      const shared = describeClash(pod, of);
      const message = `Error validating pod ${podRef(pod)} from ${source} due to duplicate ${shared}, ignoring`;
      this.deps.events.event({ kind: 'Pod', pod }, 'Warning', 'FailedValidation', message);
      const [origin, first] = [reader.originOf?.(pod), reader.originOf?.(of)];
      this.deps.journal?.report({
        kind: 'pod.ignored',
        pod: journalPod(pod),
        source,
        shared: podFullName(pod) === podFullName(of) ? 'name' : 'uid',
        ...(origin !== undefined && { origin }),
        ...(first !== undefined && { firstOrigin: first }),
      });
      if (origin === undefined) this.deps.logger.error(message);
      else
        this.deps.logger.error(
          `static pod manifest is not used: ${origin}: duplicate ${shared}, it is already in ${first ?? source}`,
        );
    }
  }
}

function describeClash(pod: Pod, of: Pod): string {
  return podFullName(pod) === podFullName(of)
    ? `pod name ${JSON.stringify(pod.metadata.name ?? '')}`
    : `pod UID ${JSON.stringify(podUid(pod))}`;
}

function clashKey({ pod, of }: Duplicate): string {
  return JSON.stringify([podUid(pod), podFullName(pod), podUid(of)]);
}
