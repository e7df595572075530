import { podFullName, type Pod } from '@podwright/kube-types';
import type { PodMemory } from '@podwright/pod-memory-interface';
import type { PodUpdateType } from '@podwright/pod-workers-interface';
import type { Clock } from '@podwright/time';
import { newRecord, type PodRecord, type PodWork } from './pod-record.js';
import { terminationPart } from './termination-part.js';

/**
 * Keeps each termination from the moment it is asked for until the pod is finished, so that the next process goes on
 * with what is left of it. Upstream (v1.36) begins such a pod anew, or kills it with one second when nobody wants it.
 */
export class RememberedTerminations {
  constructor(
    private readonly memory: PodMemory,
    private readonly clock: Clock,
  ) {}

  /** Records of the pods that an earlier process was about to end. */
  restore(): readonly PodRecord[] {
    return this.memory.podUids().flatMap((uid) => {
      const remembered = this.memory.recall(uid, terminationPart);
      if (remembered === undefined || remembered.pod.metadata.uid !== uid) return [];
      const { pod, gracePeriodSeconds, deadlineMs, deleted, evicted, completed } = remembered;
      const now = this.clock.monotonic();
      const record: PodRecord = {
        ...newRecord(uid, podFullName(pod)),
        active: { type: 'sync', pod, ...(gracePeriodSeconds > 0 && { gracePeriodSeconds }) },
        startedAtMs: now,
        terminatingAtMs: now,
        gracePeriodSeconds,
        deadlineMs,
        deleted,
        evicted,
        completed,
        restored: 'unclaimed',
      };
      return [record];
    });
  }

  /** Termination was asked for, or with less time than before. */
  request(record: PodRecord, pod: Pod): void {
    void this.keep(record, pod);
  }

  /**
   * Called before the containers are told to end. Resolves when that is remembered, with the work to do: a termination
   * that was begun by an earlier process has only what is left of its time, at least one second.
   */
  async begin(record: PodRecord, work: PodWork, pod: Pod): Promise<PodWork> {
    const now = this.clock.now();
    const grace = work.gracePeriodSeconds ?? record.gracePeriodSeconds;
    if (grace > 0) record.deadlineMs = Math.min(record.deadlineMs ?? Number.POSITIVE_INFINITY, now + grace * 1000);
    await this.keep(record, pod);
    if (record.restored === undefined || record.deadlineMs === undefined || grace === 0) return work;
    // A wall clock that was set back must not make it longer.
    const leftSeconds = Math.ceil((record.deadlineMs - now) / 1000);
    return { ...work, gracePeriodSeconds: Math.max(1, Math.min(grace, leftSeconds)) };
  }

  forget(uid: string): void {
    void this.memory.keep(uid, terminationPart, undefined);
  }

  private keep(record: PodRecord, pod: Pod): Promise<void> {
    const { gracePeriodSeconds, deadlineMs, deleted, evicted, completed } = record;
    return this.memory.keep(record.uid, terminationPart, {
      pod,
      gracePeriodSeconds,
      ...(deadlineMs !== undefined && { deadlineMs }),
      deleted,
      evicted,
      completed,
    });
  }
}

/**
 * The configuration shows a pod whose termination an earlier process began. `wanted-again`: it was ended because it was
 * not wanted, and now it is; the termination goes on with the spec that it began with, and the pod restarts afterwards.
 * `ending`: it was deleted, was evicted or has come to its end, and only goes on ending. `no`: nothing of this holds.
 */
export function claim(record: PodRecord, pod: Pod, updateType: PodUpdateType): 'wanted-again' | 'ending' | 'no' {
  if (record.restored !== 'unclaimed' || record.finished || updateType !== 'create') return 'no';
  record.restored = 'claimed';
  if (pod.metadata.deletionTimestamp !== undefined) {
    record.deleted = true;
    return 'ending';
  }
  const phase = pod.status?.phase;
  if (record.evicted || record.completed || phase === 'Failed' || phase === 'Succeeded') return 'ending';
  record.restartRequested = true;
  return 'wanted-again';
}
