import type { PodStatus } from '@podwright/kube-types';

/** The last accepted status with what its sender needs. Immutable. */
export interface VersionedStatus {
  readonly status: PodStatus;
  /** Number of accepted changes of the pod, from 1; 0: restored from an earlier kubelet and not confirmed yet. */
  readonly version: number;
  readonly namespace: string;
  readonly name: string;
  readonly staticPod: boolean;
  /** The pod's clean-up is complete, so its API object may be deleted. Stays true. */
  readonly finished: boolean;
}

/** What a sender needs of the status manager, which holds the statuses. */
export interface StatusTable {
  /** By the UID of the pod itself, never by that of a mirror pod. */
  entry(podUid: string): VersionedStatus | undefined;
  entries(): ReadonlyMap<string, VersionedStatus>;
  /** Call it when the API object is gone or belongs to another pod: there is nothing to report to. */
  drop(podUid: string): void;
}
