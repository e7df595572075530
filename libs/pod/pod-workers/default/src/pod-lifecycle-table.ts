import { createToken } from '@podwright/assembly-interface';
import type { PodLifecycle } from '@podwright/pod-workers-interface';
import { isTerminated, isTerminationRequested } from './pod-record.js';
import type { PodRecord } from './pod-record.js';

/**
 * The records of all workers, and the queries on them. Depends on nothing, so that managers which the workers call can
 * query it without a cycle. Only the workers write to it.
 */
export class PodLifecycleTable implements PodLifecycle {
  private readonly records = new Map<string, PodRecord>();
  private everSynced = false;

  get(uid: string): PodRecord | undefined {
    return this.records.get(uid);
  }

  put(record: PodRecord): void {
    this.records.set(record.uid, record);
  }

  delete(uid: string): void {
    this.records.delete(uid);
  }

  /** Returns a copy: the caller may delete records while it iterates. */
  all(): readonly PodRecord[] {
    return [...this.records.values()];
  }

  /** From now on a pod without a record counts as removed. */
  markSynced(): void {
    this.everSynced = true;
  }

  couldHaveRunningContainers(uid: string): boolean {
    const record = this.records.get(uid);
    return record === undefined ? !this.everSynced : !isTerminated(record);
  }

  isTerminationRequested(uid: string): boolean {
    const record = this.records.get(uid);
    return record !== undefined && isTerminationRequested(record);
  }

  shouldContainersBeTerminating(uid: string): boolean {
    return this.records.get(uid)?.observedTermination ?? this.everSynced;
  }

  shouldRuntimeBeRemoved(uid: string): boolean {
    const record = this.records.get(uid);
    return record === undefined ? this.everSynced : isTerminated(record);
  }

  shouldContentBeRemoved(uid: string): boolean {
    const record = this.records.get(uid);
    if (record === undefined) return this.everSynced;
    return record.evicted || (record.deleted && isTerminated(record));
  }

  isKnownTerminated(uid: string): boolean {
    const record = this.records.get(uid);
    return record !== undefined && isTerminated(record);
  }

  isFinished(uid: string): boolean {
    return this.records.get(uid)?.finished ?? false;
  }
}

/** The table with its write methods; only the pod workers of this package use it. */
export const POD_LIFECYCLE_TABLE = createToken<PodLifecycleTable>('kubelet.pod-lifecycle-table/v1');
