import type { JournalPod } from './journal-pod.js';

/** The kubelet's own status of a pod has another phase, readiness or reason. Node-local: nothing is sent yet. */
export interface StatusChanged {
  readonly kind: 'status.changed';
  readonly pod: JournalPod;
  readonly phase: string;
  /** The condition Ready. */
  readonly ready: boolean;
  /** Names of the containers that are not ready. */
  readonly notReady: readonly string[];
  readonly reason?: string;
  readonly message?: string;
}

/** The API server took a status. Reported when phase, readiness or reason differ from the last one it took. */
export interface StatusSent {
  readonly kind: 'status.sent';
  readonly pod: JournalPod;
  readonly phase: string;
  readonly ready: boolean;
  /** From the change until the server had it. */
  readonly durationMs: number;
}

/** The API server did not take a status. */
export interface StatusFailed {
  readonly kind: 'status.failed';
  readonly pod: JournalPod;
  readonly error: string;
  /** True: the server is away, and all statuses wait for it. */
  readonly outage: boolean;
}

/** The kubelet asked the API server to delete the object of a pod that has ended. */
export interface PodDeleted {
  readonly kind: 'pod.deleted';
  readonly pod: JournalPod;
}

export type StatusDecision = StatusChanged | StatusSent | StatusFailed | PodDeleted;
