import type { Pod, PodStatus } from '@podwright/kube-types';
import type { RuntimePod } from '@podwright/container-runtime-interface';
import type { PodUpdateType, PodWorkState } from '@podwright/pod-workers-interface';

/** One accepted update, waiting for the worker or given to it. Without `pod` it is a runtime-only kill. */
export interface PodWork {
  readonly type: PodUpdateType;
  readonly pod?: Pod;
  readonly mirrorPod?: Pod;
  readonly runningPod?: RuntimePod;
  /** Grace period for the terminating sync; absent: that of the containers. */
  readonly gracePeriodSeconds?: number;
  /** Monotonic milliseconds of the oldest update that this one replaced; absent for replays. */
  readonly receivedAtMs?: number;
}

/** The state of one pod UID. Times are monotonic milliseconds. */
export interface PodRecord {
  readonly uid: string;
  /** `<name>_<namespace>`. */
  readonly fullName: string;
  pending: PodWork | undefined;
  /** What the worker last saw, with the newest part of each update; replayed when the worker must run again. */
  active: PodWork | undefined;
  startedAtMs: number | undefined;
  terminatingAtMs: number | undefined;
  terminatedAtMs: number | undefined;
  /** Seconds; 0 until termination is requested, then at least 1, and it can only shrink. */
  gracePeriodSeconds: number;
  /** Wall clock, milliseconds: when the containers' grace period ends; undefined until it starts. */
  deadlineMs: number | undefined;
  /** Called when the containers have ended. */
  waiting: (() => void)[];
  overrideStatus: ((status: PodStatus) => PodStatus) | undefined;
  /** The worker has started the termination; from here on nothing may be set up for containers. */
  observedTermination: boolean;
  deleted: boolean;
  evicted: boolean;
  /** Termination began because the pod completed by itself. */
  completed: boolean;
  finished: boolean;
  restartRequested: boolean;
  /** Housekeeping saw the pod in the runtime, so it must be terminated even if this process never started it. */
  observedRuntime: boolean;
  /** From a checkpoint of an earlier kubelet; `unclaimed` until the configuration has the pod. */
  restored: 'unclaimed' | 'claimed' | undefined;
  /** Aborts the running sync. */
  running: AbortController | undefined;
  /** End of the last sync; the next one needs a status observed after it. */
  lastSyncEndMs: number | undefined;
  /** As `lastSyncEndMs`, if that sync succeeded; undefined when it failed. */
  settledAtMs: number | undefined;
}

export function newRecord(uid: string, fullName: string): PodRecord {
  return {
    uid,
    fullName,
    pending: undefined,
    active: undefined,
    startedAtMs: undefined,
    terminatingAtMs: undefined,
    terminatedAtMs: undefined,
    gracePeriodSeconds: 0,
    deadlineMs: undefined,
    waiting: [],
    overrideStatus: undefined,
    observedTermination: false,
    deleted: false,
    evicted: false,
    completed: false,
    finished: false,
    restartRequested: false,
    observedRuntime: false,
    restored: undefined,
    running: undefined,
    lastSyncEndMs: undefined,
    settledAtMs: undefined,
  };
}

export function isTerminationRequested(record: PodRecord): boolean {
  return record.terminatingAtMs !== undefined;
}

export function isTerminated(record: PodRecord): boolean {
  return record.terminatedAtMs !== undefined;
}

export function workState(record: PodRecord): PodWorkState {
  if (isTerminated(record)) return 'terminated';
  return isTerminationRequested(record) ? 'terminating' : 'sync';
}
