import type { ListChange, PodLane } from '@podwright/console-interface';
import { journalPod, type JournalEntry, type JournalPod } from '@podwright/journal-interface';
import { deepEqual, podUid } from '@podwright/kube-types';
import { yieldToEventLoop } from '@podwright/time';
import { historyMs } from '../history-window.js';
import type { ConsoleParts } from '../console-needs.js';
import { podLane } from './pod-lane.js';

const podsPerSlice = 20;

/** The lanes of the pods that the kubelet has, and of those that were there within the last ten minutes. */
export class PodLanes {
  private readonly known = new Map<string, PodLane>();
  private readonly dirty = new Set<string>();
  /** Those that the kubelet no longer has, by when that was first seen. */
  private readonly goneSince = new Map<string, number>();

  constructor(private readonly parts: Pick<ConsoleParts, 'pods' | 'statuses' | 'journal' | 'clock'>) {
    for (const entry of parts.journal.recent({ sinceMs: parts.clock.now() - historyMs })) {
      const pod = podOf(entry);
      if (pod !== undefined) this.dirty.add(pod.uid);
    }
  }

  lanes(): readonly PodLane[] {
    return [...this.known.values()];
  }

  touch(uid: string): void {
    this.dirty.add(uid);
  }

  async refresh(): Promise<ListChange<PodLane>> {
    const { pods, clock } = this.parts;
    const current = new Map(pods.getPods().map((pod) => [podUid(pod), journalPod(pod)]));
    const due = new Set([...this.dirty, ...[...current.keys()].filter((uid) => !this.known.has(uid))]);
    this.dirty.clear();
    const changed: PodLane[] = [];
    let made = 0;
    for (const uid of due) {
      if (++made % podsPerSlice === 0) await yieldToEventLoop();
      const lane = laneOf(this.parts, uid, current.get(uid));
      if (lane === undefined || deepEqual(this.known.get(uid), lane)) continue;
      this.known.set(uid, lane);
      changed.push(lane);
    }
    return { changed, removed: this.forget(current, clock.now()) };
  }

  private forget(current: ReadonlyMap<string, unknown>, nowMs: number): readonly string[] {
    const removed: string[] = [];
    for (const uid of this.known.keys()) {
      if (current.has(uid)) {
        this.goneSince.delete(uid);
        continue;
      }
      const since = this.goneSince.get(uid) ?? nowMs;
      this.goneSince.set(uid, since);
      if (nowMs - since < historyMs) continue;
      this.known.delete(uid);
      this.goneSince.delete(uid);
      removed.push(uid);
    }
    return removed;
  }
}

/** The lane of one pod; `pod` is the one that the kubelet has. Undefined when nobody knows its name. */
export function laneOf(
  { journal, statuses, clock }: Pick<ConsoleParts, 'statuses' | 'journal' | 'clock'>,
  uid: string,
  pod: JournalPod | undefined,
): PodLane | undefined {
  const entries = journal.recent({ podUid: uid });
  const named = pod ?? entries.map(podOf).find((each) => each !== undefined);
  if (named === undefined) return undefined;
  return podLane(named, entries, pod && statuses.getPodStatus(uid), clock.now());
}

const podOf = (entry: JournalEntry): JournalPod | undefined => ('pod' in entry ? entry.pod : undefined);
