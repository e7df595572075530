import { isTerminalPhase, podFullName, type Pod } from '@podwright/kube-types';
import type { PodCheckpoints } from '@podwright/pod-checkpoint-interface';
import type { PodUpdateType } from '@podwright/pod-workers-interface';
import type { Clock } from '@podwright/time';
import { newRecord, type PodRecord, type PodWork } from './pod-record.js';
import { terminationPart } from './termination-part.js';

/**
 * Keeps each termination from its request until the pod is finished, so that the next process resumes it with the
 * remaining time. Upstream (v1.36) starts such a pod again, or kills an unwanted one with one second.
 */
export class TerminationCheckpoints {
  constructor(
    private readonly checkpoints: PodCheckpoints,
    private readonly clock: Clock,
  ) {}

  /** Records of pods that an earlier kubelet was terminating. */
  restore(): readonly PodRecord[] {
    return this.checkpoints.podUids().flatMap((uid) => {
      const checkpoint = this.checkpoints.read(uid, terminationPart);
      if (checkpoint === undefined || checkpoint.pod.metadata.uid !== uid) return [];
      const { pod, gracePeriodSeconds, deadlineMs, deleted, evicted, completed } = checkpoint;
      const now = this.clock.monotonic();
      const record: PodRecord = {
        ...newRecord(uid, podFullName(pod)),
        active: { type: 'sync', pod },
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

  /** Call it when termination was requested or its grace period became shorter. */
  request(record: PodRecord, pod: Pod): void {
    void this.write(record, pod);
  }

  /**
   * Call it before the containers are told to end. Resolves with the work to do when the checkpoint is written: a
   * termination of an earlier kubelet gets only its remaining time, at least one second.
   */
  async begin(record: PodRecord, work: PodWork, pod: Pod): Promise<PodWork> {
    const now = this.clock.now();
    const grace = work.gracePeriodSeconds ?? record.gracePeriodSeconds;
    if (grace > 0) record.deadlineMs = Math.min(record.deadlineMs ?? Number.POSITIVE_INFINITY, now + grace * 1000);
    await this.write(record, pod);
    if (record.restored === undefined || record.deadlineMs === undefined) return work;
    // A wall clock that was set back must not extend the time.
    const leftSeconds = Math.ceil((record.deadlineMs - now) / 1000);
    return { ...work, gracePeriodSeconds: Math.max(1, Math.min(grace, leftSeconds)) };
  }

  remove(uid: string): void {
    void this.checkpoints.write(uid, terminationPart, undefined);
  }

  private write(record: PodRecord, pod: Pod): Promise<void> {
    const { gracePeriodSeconds, deadlineMs, deleted, evicted, completed } = record;
    return this.checkpoints.write(record.uid, terminationPart, {
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
 * Handles a pod from the configuration whose termination an earlier kubelet started. `wanted-again`: it was terminated
 * as unwanted and is wanted again; the termination continues with its original spec, and then the pod restarts.
 * `ending`: it was deleted, was evicted or has completed; its termination continues. `no`: neither.
 */
export function claim(record: PodRecord, pod: Pod, updateType: PodUpdateType): 'wanted-again' | 'ending' | 'no' {
  if (record.restored !== 'unclaimed' || record.finished || updateType !== 'create') return 'no';
  record.restored = 'claimed';
  if (pod.metadata.deletionTimestamp !== undefined) {
    record.deleted = true;
    return 'ending';
  }
  const phase = pod.status?.phase;
  if (record.evicted || record.completed || isTerminalPhase(phase)) return 'ending';
  record.restartRequested = true;
  return 'wanted-again';
}
