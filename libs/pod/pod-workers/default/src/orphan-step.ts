import { effectiveGracePeriod } from './grace-period.js';
import { isTerminationRequested } from './pod-record.js';
import type { PodRecord } from './pod-record.js';

/** `forget`: drop the record. `work`: wake the worker. `keep`: do nothing. */
export type OrphanStep = 'forget' | 'work' | 'keep';

/**
 * Decides what housekeeping does with the record of a pod that is no longer wanted (`orphan`), or that is wanted again
 * with the same UID. An orphan gets no other updates, so this starts its termination if needed. Source: kubernetes
 * v1.36 pkg/kubelet/pod_workers.go, removeTerminatedWorker.
 */
export function orphanStep(record: PodRecord, orphan: boolean, nowMs: number): OrphanStep {
  if (record.finished) return 'forget';
  if (!orphan) return 'keep';
  record.deleted = true;
  if (record.startedAtMs === undefined && !record.observedRuntime) return 'forget';
  if (!isTerminationRequested(record)) {
    record.terminatingAtMs = nowMs;
    const pod = record.active?.pod;
    record.gracePeriodSeconds = pod === undefined ? 1 : effectiveGracePeriod(record.gracePeriodSeconds, pod, undefined);
  }
  return 'work';
}
