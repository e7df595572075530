import type { JournalPod } from './journal-pod.js';

/** A pod's worker has a new update to work on. Periodic syncs are not reported. */
export interface PodQueued {
  readonly kind: 'pod.queued';
  readonly pod: JournalPod;
  readonly update: 'create' | 'update' | 'kill';
}

/** A pod's worker cannot begin yet. Reported when the wait begins and at each look that finds it unchanged. */
export interface PodWaiting {
  readonly kind: 'pod.waiting';
  readonly pod: JournalPod;
  /**
   * `static-pod-name`: another static pod of that name has not ended. `restart`: the pod of this UID is terminating, and
   * starts again when that is over.
   */
  readonly waitsFor: 'static-pod-name' | 'restart';
  /** Wall clock, Unix milliseconds: when the worker looks again; absent when it wakes by itself. */
  readonly nextLookAtMs?: number;
}

/** The runtime or the relist is broken: the sync loop holds back all inputs. Node-wide. Reported when the errors change. */
export interface SyncPaused {
  readonly kind: 'sync.paused';
  readonly errors: readonly string[];
}

/** The sync loop works again. */
export interface SyncResumed {
  readonly kind: 'sync.resumed';
  readonly pausedMs: number;
}

/**
 * The pod is to end; reported once, when its worker learns of it. `deleted`: the API object is being deleted, or the
 * pod is known to the runtime only. `evicted`: by the kubelet. `finished`: its phase is final. `completed`: all its
 * containers have ended for good. `killed`: any other cause, such as a removed manifest, a preemption or a shutdown.
 */
export interface PodEnding {
  readonly kind: 'pod.ending';
  readonly pod: JournalPod;
  readonly cause: 'deleted' | 'evicted' | 'finished' | 'completed' | 'killed';
  /** Seconds; absent when no container has to be stopped, or the containers' own period counts. */
  readonly gracePeriodSeconds?: number;
}

/**
 * One turn of a pod's worker has ended. Of the successful ones only those are reported that something new caused, that
 * come after a failure, or that changed the pod's state; a periodic sync that found nothing is not.
 */
export interface PodSync {
  readonly kind: 'pod.sync';
  readonly pod: JournalPod;
  /** `terminating` stops the containers, `terminated` cleans up after them. */
  readonly state: 'sync' | 'terminating' | 'terminated';
  /** From the first update that the turn covers until it began; absent for a turn without one, such as a retry. */
  readonly queuedMs?: number;
  /** The whole turn, with the wait for a fresh status of the runtime. */
  readonly durationMs: number;
  /** In upstream's words; absent after a success. */
  readonly error?: string;
  /** True: the turn was ended early because the pod is to terminate. */
  readonly cancelled?: boolean;
  /** Failed turns in a row, this one included; absent after a success. */
  readonly failures?: number;
  /** Wall clock, Unix milliseconds: the first of these failures. */
  readonly failingSinceMs?: number;
  /** Wall clock, Unix milliseconds: when the worker looks again without a new input. Absent: at once, or never. */
  readonly nextLookAtMs?: number;
}

/** The worker is done with the pod: containers, volumes and cgroups are gone. */
export interface PodEnded {
  readonly kind: 'pod.ended';
  readonly pod: JournalPod;
  /** From the request to end until now; absent when the pod never began. */
  readonly endingMs?: number;
}

export type PodWorkDecision = PodQueued | PodWaiting | SyncPaused | SyncResumed | PodEnding | PodSync | PodEnded;
