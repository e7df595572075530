import type { RuntimePod } from '@podwright/container-runtime-interface';

/** What is remembered of one pod. */
export interface PodRecord {
  readonly uid: string;
  /** The look that the last good inspection belonged to; undefined before the first. */
  inspected: RuntimePod | undefined;
  /** The newest look. The same object as `inspected` when there is nothing to do. */
  current: RuntimePod;
  /** monotonic() just before the runtime was asked for `current`, or last said the same. */
  listedAtMs: number;
  /** Number of the last list call that showed the pod. */
  seenIn: number;
  /** The last inspection failed; it is repeated even when the lists show no change. */
  reinspect: boolean;
  /** Aborts when the pod has left the runtime or everything stops: what an inspection still finds is dropped. */
  readonly over: AbortController;
  /** IPs of the last good inspection that had some. */
  ips: readonly string[];
}

export function newPodRecord(current: RuntimePod): PodRecord {
  return {
    uid: current.uid,
    inspected: undefined,
    current,
    listedAtMs: Number.NEGATIVE_INFINITY,
    seenIn: 0,
    reinspect: false,
    over: new AbortController(),
    ips: [],
  };
}
