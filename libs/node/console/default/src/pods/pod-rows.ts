import type { ListChange, PodRow } from '@podwright/console-interface';
import type { PodSituation } from '@podwright/explain-interface';
import { deepEqual, podUid, type Pod } from '@podwright/kube-types';
import { yieldToEventLoop } from '@podwright/time';
import type { ConsoleParts } from '../console-needs.js';
import { podRow } from './pod-row.js';

interface Known {
  readonly pod: Pod;
  readonly row: PodRow;
  readonly explainedAt: number;
}

// An explanation is a few hundred microseconds of work.
const podsPerSlice = 10;
// What is the matter with a pod may change because time passes: a back-off is over, a wait has become long.
const unsettledAgeMs = 10_000;
const settled: ReadonlySet<PodSituation> = new Set(['ready', 'running', 'succeeded', 'failed', 'ended']);

/** The rows of all pods. Only those that may look different are made again. */
export class PodRows {
  private readonly known = new Map<string, Known>();
  private readonly dirty = new Set<string>();
  private isAllDirty = false;

  constructor(private readonly parts: Pick<ConsoleParts, 'pods' | 'statuses' | 'explainer' | 'clock'>) {}

  rows(): readonly PodRow[] {
    return [...this.known.values()].map(({ row }) => row);
  }

  /** Something happened to the pod. */
  touch(uid: string): void {
    this.dirty.add(uid);
  }

  /** Something happened to the node that matters to pods. */
  touchAll(): void {
    this.isAllDirty = true;
  }

  /** Rejects with the signal's reason. */
  async refresh(signal: AbortSignal): Promise<ListChange<PodRow>> {
    const { pods, clock } = this.parts;
    const now = clock.monotonic();
    const isAllDirty = this.isAllDirty;
    this.isAllDirty = false;
    const current = pods.getPods();
    const due = current.filter((pod) => {
      const uid = podUid(pod);
      const known = this.known.get(uid);
      if (known === undefined || known.pod !== pod || isAllDirty || this.dirty.delete(uid)) return true;
      return !settled.has(known.row.situation) && now - known.explainedAt >= unsettledAgeMs;
    });
    this.dirty.clear();
    const changed: PodRow[] = [];
    for (const [index, pod] of due.entries()) {
      if (index > 0 && index % podsPerSlice === 0) await yieldToEventLoop();
      signal.throwIfAborted();
      const row = await this.explain(pod, now, signal);
      if (row !== undefined) changed.push(row);
    }
    return { changed, removed: this.forgetOthers(new Set(current.map(podUid))) };
  }

  /** Undefined when the row is as before. */
  private async explain(pod: Pod, now: number, signal: AbortSignal): Promise<PodRow | undefined> {
    const { explainer, statuses } = this.parts;
    const uid = podUid(pod);
    const { namespace = '', name = '' } = pod.metadata;
    const explanation = await explainer.explainPod(namespace, name, { uid, fromMemory: true, signal });
    const row = podRow(pod, statuses.getPodStatus(uid), explanation);
    const before = this.known.get(uid)?.row;
    const isSame = before !== undefined && deepEqual(before, row);
    this.known.set(uid, { pod, row: isSame ? before : row, explainedAt: now });
    return isSame ? undefined : row;
  }

  private forgetOthers(uids: ReadonlySet<string>): readonly string[] {
    const gone = [...this.known.keys()].filter((uid) => !uids.has(uid));
    for (const uid of gone) this.known.delete(uid);
    return gone;
  }
}
