import type { PodSource } from '@podwright/kube-types';
import type { JournalPod } from './journal-pod.js';

/** The kubelet learned of a pod, or of a change of it, from a source. Changes of the status alone are not reported. */
export interface PodReceived {
  readonly kind: 'pod.received';
  readonly pod: JournalPod;
  readonly source: PodSource;
  /**
   * `delete`: the pod is being deleted gracefully, its deletion timestamp is set. `remove`: the source no longer has it.
   */
  readonly operation: 'add' | 'update' | 'delete' | 'remove';
  /** `metadata.generation` of the pod, if it has one. */
  readonly generation?: number;
  /** Wall clock, Unix milliseconds: when the API object was created. Absent for pods that come from no API. */
  readonly createdAtMs?: number;
  /** Finalizers that keep the API object when its pod has ended; absent when there are none. */
  readonly finalizers?: readonly string[];
}

/** A source has a pod that the kubelet does not run, because another pod has its name or its UID. Once while it lasts. */
export interface PodIgnored {
  readonly kind: 'pod.ignored';
  readonly pod: JournalPod;
  readonly source: PodSource;
  readonly shared: 'name' | 'uid';
  /** Where the ignored pod comes from, such as the path of its manifest. */
  readonly origin?: string;
  /** Where the pod that runs comes from. */
  readonly firstOrigin?: string;
}

/** A manifest of a static pod that cannot be used. Reported when it is read and the error is new. */
export interface ManifestRefused {
  readonly kind: 'manifest.refused';
  readonly source: PodSource;
  /** Path of the file, or the URL. */
  readonly origin: string;
  readonly error: string;
}

/** A manifest that had been refused is refused no longer. */
export interface ManifestSettled {
  readonly kind: 'manifest.settled';
  readonly source: PodSource;
  /** Path of the file, or the URL, as in `manifest.refused`. */
  readonly origin: string;
  /** `accepted`: it could be read. `removed`: it is gone. */
  readonly outcome: 'accepted' | 'removed';
}

/** Admission let the pod in. Its worker begins next. */
export interface PodAdmitted {
  readonly kind: 'pod.admitted';
  readonly pod: JournalPod;
  /** How long the checks took. */
  readonly durationMs: number;
}

/** Admission refused the pod, or a resize of it. A refused pod fails for good; a refused resize may be tried again, and is reported when the answer changes. */
export interface PodRefused {
  readonly kind: 'pod.refused';
  readonly pod: JournalPod;
  readonly operation: 'add' | 'resize';
  /** Upstream's word, such as `OutOfcpu`; it is the reason of the pod's status. */
  readonly reason: string;
  /** In upstream's words. */
  readonly message: string;
}

export type ArrivalDecision = PodReceived | PodIgnored | ManifestRefused | ManifestSettled | PodAdmitted | PodRefused;
