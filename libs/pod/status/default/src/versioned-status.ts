import type { PodStatus } from '@podwright/kube-types';

/** A status as it was accepted last, with what who sends it has to know. Immutable. */
export interface VersionedStatus {
  readonly status: PodStatus;
  /** Counts the accepted changes of the pod, from 1; 0: brought back from an earlier process and not confirmed yet. */
  readonly version: number;
  readonly namespace: string;
  readonly name: string;
  readonly staticPod: boolean;
  /** The clean-up of the pod is over: its API object may go. Stays true. */
  readonly finished: boolean;
}

/** What a sender needs of the one place where statuses are kept. */
export interface StatusTable {
  /** By the UID of the pod itself, never that of a mirror pod. */
  entry(podUid: string): VersionedStatus | undefined;
  entries(): ReadonlyMap<string, VersionedStatus>;
  /** The API object of the pod is gone, or belongs to another pod by now: nobody is left to be told. */
  drop(podUid: string): void;
}
