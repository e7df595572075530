import type { RuntimePod } from '@podwright/container-runtime-interface';

/** What the relist remembers of one pod. */
export interface PodRecord {
  readonly uid: string;
  /** The relist that the last good inspection belonged to; undefined before the first. */
  inspected: RuntimePod | undefined;
  /** The newest relist; the same object as `inspected` when there is nothing to do. */
  current: RuntimePod;
  /** monotonic() just before the last list call that showed `current`. */
  listedAtMs: number;
  /** Number of the last list call that showed the pod. */
  seenIn: number;
  /** The last inspection failed; it is repeated even when the lists show no change. */
  reinspect: boolean;
  /** Aborts when the pod leaves the runtime or the relist stops; a running inspection's result is then dropped. */
  readonly over: AbortController;
  /** IPs of the last inspection that had some. */
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
