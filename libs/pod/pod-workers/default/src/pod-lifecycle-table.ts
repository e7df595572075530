import { createToken } from '@podwright/assembly-interface';
import type { PodLifecycle } from '@podwright/pod-workers-interface';
import { injectable } from 'tsyringe';
import { isTerminated, isTerminationRequested } from './pod-record.js';
import type { PodRecord } from './pod-record.js';

/**
 * The records of all workers, and the questions about them. It depends on nothing, so that managers which the workers
 * call may ask it without a cycle. Only the workers write.
 */
@injectable()
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

  /** A copy: the caller may delete while it walks. */
  all(): readonly PodRecord[] {
    return [...this.records.values()];
  }

  /** From now on a pod without a record is a pod that is gone. */
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

/** The table itself, with its write side; only pod workers of this package hold it. */
export const POD_LIFECYCLE_TABLE = createToken<PodLifecycleTable>('kubelet.pod-lifecycle-table/v1');
