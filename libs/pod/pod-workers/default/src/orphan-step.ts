import { effectiveGracePeriod } from './grace-period.js';
import { isTerminationRequested } from './pod-record.js';
import type { PodRecord } from './pod-record.js';

/** `forget`: drop the record. `work`: wake the worker. `keep`: nothing to do. */
export type OrphanStep = 'forget' | 'work' | 'keep';

/**
 * What housekeeping does with the record of a pod that nobody wants any more (`orphan`) or that is wanted anew under the
 * same UID. Nobody else may send updates for an orphan, so the worker is driven from here, and termination begins here
 * when it has not. Source: kubernetes v1.36 pkg/kubelet/pod_workers.go, removeTerminatedWorker.
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
