import type { EvictionDecision } from '@podwright/eviction-interface';

/**
 * A pass of the eviction manager that did something or tried to: its whole record, as /debug/evictions/ shows it. Found
 * under each evicted pod. Reported before the pods end, and once more when one of them did not; a pass that finds nothing
 * to evict is not repeated while the shortage lasts.
 */
export interface Eviction extends EvictionDecision {
  readonly kind: 'eviction';
}

/** A condition of the node has changed, in the kubelet's own eyes. */
export interface NodeConditionChanged {
  readonly kind: 'node.condition';
  /** `Ready`, `MemoryPressure`, `DiskPressure`, `PIDPressure`, ... */
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** The API server did not take the node's status, after all attempts of a round. Reported when the error is new. */
export interface NodeStatusFailed {
  readonly kind: 'node.status.failed';
  readonly error: string;
  /** What to do about it, if that is known. */
  readonly advice?: string;
}

/** The API server took the node's status, or had nothing to take, after a failure. */
export interface NodeStatusAccepted {
  readonly kind: 'node.status.accepted';
  /** Since the first failure. */
  readonly failedMs: number;
}

/** The node's lease was not renewed. Reported when the error is new. */
export interface LeaseFailed {
  readonly kind: 'lease.failed';
  readonly error: string;
  /** Wall clock, Unix milliseconds: the last renewal; absent before the first. */
  readonly renewedAtMs?: number;
}

/** The node's lease was renewed after a failure. */
export interface LeaseRenewed {
  readonly kind: 'lease.renewed';
  /** Since the last renewal before; absent for the first. */
  readonly gapMs?: number;
}

/** The kernel killed a process because memory ran out. */
export interface OomKilled {
  readonly kind: 'oom.killed';
  /** Absent when the cgroup is not that of a pod. */
  readonly podUid?: string;
  /** Bare CRI id; absent when the cgroup is not that of a container. */
  readonly containerId?: string;
  readonly process: string;
  readonly pid: number;
  /** Cgroup of the process. */
  readonly cgroup: string;
  /** Cgroup whose limit was reached; `/`: the whole machine. */
  readonly limitCgroup: string;
  /** Of the cgroup whose limit was reached, when the kernel says it. */
  readonly usageBytes?: number;
  readonly limitBytes?: number;
}

/** The journal was opened: a kubelet process begins. The first entry of each process. */
export interface JournalOpened {
  readonly kind: 'journal.opened';
  readonly pid: number;
}

/** Entries were lost: they are not on disk, and those that are no longer in memory are gone. */
export interface JournalLost {
  readonly kind: 'journal.lost';
  readonly entries: number;
  /** `buffer`: more came than could be written. `disk`: the disk did not take them. */
  readonly cause: 'buffer' | 'disk';
  readonly error?: string;
}

export type NodeDecision =
  | Eviction
  | NodeConditionChanged
  | NodeStatusFailed
  | NodeStatusAccepted
  | LeaseFailed
  | LeaseRenewed
  | OomKilled
  | JournalOpened
  | JournalLost;
