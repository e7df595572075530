import { isTerminalPhase, type Pod } from '@podwright/kube-types';
import type { KillPodOptions, UpdatePodOptions } from '@podwright/pod-workers-interface';
import { effectiveGracePeriod } from './grace-period.js';
import { isTerminated, isTerminationRequested } from './pod-record.js';
import type { PodRecord, PodWork } from './pod-record.js';

/** The outcome of one update. */
export type Acceptance =
  | { readonly accepted: false; readonly why: string }
  /** `cancelRunning`: the running sync has an outdated state or grace period. */
  | { readonly accepted: true; readonly cancelRunning: boolean };

/**
 * Applies one update to the record of its pod: decides whether termination begins, computes the grace period, and
 * leaves the update in `record.pending`. Changes nothing else, except that it calls `kill.onCompleted` when that is due
 * at once.
 * Source: kubernetes v1.36 pkg/kubelet/pod_workers.go, UpdatePod.
 */
export function acceptUpdate(
  record: PodRecord,
  options: UpdatePodOptions,
  firstTime: boolean,
  nowMs: number,
): Acceptance {
  const runtimeOnly = options.pod === undefined;
  if (runtimeOnly) record.observedRuntime = true;
  // For a runtime-only kill, use the spec of an earlier update if there is one: it knows more about the termination.
  const pod = options.pod ?? record.pending?.pod ?? record.active?.pod;

  if (!firstTime && isTerminationRequested(record) && options.type === 'create') {
    record.restartRequested = true;
    return { accepted: false, why: 'the pod is terminating; it restarts with the same UID when that is over' };
  }
  if (record.finished) {
    options.kill?.onCompleted?.();
    return { accepted: false, why: 'the pod is finished' };
  }
  const becameTerminating =
    !isTerminationRequested(record) && requestTermination(record, options, runtimeOnly, pod, nowMs);
  if (isTerminated(record) && runtimeOnly) {
    // Housekeeping may have seen an older state of the runtime.
    options.kill?.onCompleted?.();
    return { accepted: false, why: 'the pod is terminated, its clean-up goes on' };
  }
  const graceBefore = record.gracePeriodSeconds;
  const gracePeriodSeconds = acceptKill(record, options.kill, pod);
  const shortened = graceBefore !== 0 && record.gracePeriodSeconds !== graceBefore;
  record.pending = toWork(options, pod, gracePeriodSeconds, Math.min(nowMs, record.pending?.receivedAtMs ?? nowMs));
  return { accepted: true, cancelRunning: becameTerminating || shortened };
}

function requestTermination(
  record: PodRecord,
  options: UpdatePodOptions,
  runtimeOnly: boolean,
  pod: Pod | undefined,
  nowMs: number,
): boolean {
  if (runtimeOnly || pod?.metadata.deletionTimestamp !== undefined) {
    record.deleted = true;
  } else if (pod === undefined || !isTerminalPhase(pod.status?.phase)) {
    if (options.type !== 'kill') return false;
    if (options.kill?.evict === true) record.evicted = true;
  }
  record.terminatingAtMs = nowMs;
  return true;
}

/**
 * Returns the grace period for the terminating sync; undefined in the other two states, where a kill changes nothing.
 */
function acceptKill(record: PodRecord, kill: KillPodOptions | undefined, pod: Pod | undefined): number | undefined {
  if (isTerminated(record) || !isTerminationRequested(record)) {
    kill?.onCompleted?.();
    return undefined;
  }
  if (kill?.onCompleted !== undefined) record.waiting.push(kill.onCompleted);
  if (kill?.overrideStatus !== undefined) record.overrideStatus = kill.overrideStatus;
  record.gracePeriodSeconds = effectiveGracePeriod(record.gracePeriodSeconds, pod, kill?.gracePeriodSeconds);
  return record.gracePeriodSeconds;
}

function toWork(
  options: UpdatePodOptions,
  pod: Pod | undefined,
  gracePeriodSeconds: number | undefined,
  receivedAtMs: number,
): PodWork {
  return {
    type: options.type,
    receivedAtMs,
    ...(pod !== undefined && { pod }),
    ...(pod === undefined && options.runningPod !== undefined && { runningPod: options.runningPod }),
    ...(options.mirrorPod !== undefined && { mirrorPod: options.mirrorPod }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  };
}

/** Stores what the worker is about to see, with the newest part of each, so that it can be replayed. */
export function rememberWork(record: PodRecord, work: PodWork): void {
  const pod = work.pod ?? record.active?.pod;
  const mirrorPod = work.mirrorPod ?? record.active?.mirrorPod;
  const gracePeriodSeconds = work.gracePeriodSeconds ?? record.active?.gracePeriodSeconds;
  record.active = {
    type: 'sync',
    ...(work.runningPod !== undefined && { runningPod: work.runningPod }),
    ...(pod !== undefined && { pod }),
    ...(mirrorPod !== undefined && { mirrorPod }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  };
}
