import type { Pod, PodStatus } from '@podwright/kube-types';
import type { RuntimePod } from '@podwright/container-runtime-interface';
import type { PodUpdateType, PodWorkState } from '@podwright/pod-workers-interface';

/** One accepted update, as it waits for or was given to the worker. Without `pod` it is a runtime-only kill. */
export interface PodWork {
  readonly type: PodUpdateType;
  readonly pod?: Pod;
  readonly mirrorPod?: Pod;
  readonly runningPod?: RuntimePod;
  /** Grace period handed to the terminating sync; absent: the containers' own. */
  readonly gracePeriodSeconds?: number;
  /** Monotonic milliseconds of the oldest update that this one replaced; absent for replays. */
  readonly receivedAtMs?: number;
}

/** All that is known about the life of one pod UID. Times are monotonic milliseconds. */
export interface PodRecord {
  readonly uid: string;
  /** `<name>_<namespace>`. */
  readonly fullName: string;
  pending: PodWork | undefined;
  /** What the worker last saw, newest parts of several updates; replayed when the worker must go on by itself. */
  active: PodWork | undefined;
  startedAtMs: number | undefined;
  terminatingAtMs: number | undefined;
  terminatedAtMs: number | undefined;
  /** Seconds; 0 until termination is requested, then at least 1 and only shrinking. */
  gracePeriodSeconds: number;
  /** Wall clock, milliseconds: when the time that the containers were given is over; undefined before they were told. */
  deadlineMs: number | undefined;
  /** Told when the containers have ended. */
  waiting: (() => void)[];
  overrideStatus: ((status: PodStatus) => PodStatus) | undefined;
  /** The worker has seen that it must terminate; from here on nothing new may be set up for containers. */
  observedTermination: boolean;
  deleted: boolean;
  evicted: boolean;
  /** Termination began because the pod had come to its end by itself. */
  completed: boolean;
  finished: boolean;
  restartRequested: boolean;
  /** Housekeeping saw the pod in the runtime, so it must be driven to its end even when nobody started it. */
  observedRuntime: boolean;
  /** Remembered from an earlier process; `unclaimed` until the configuration shows the pod. */
  restored: 'unclaimed' | 'claimed' | undefined;
  /** Aborts the running sync. */
  running: AbortController | undefined;
  /** End of the last sync; the next one needs a status observed after it. */
  lastSyncEndMs: number | undefined;
  /** The same, when that sync went well; undefined when it failed. */
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
