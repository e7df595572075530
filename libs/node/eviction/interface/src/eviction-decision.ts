/** One signal as it was read. Quantities are bytes, inodes or process numbers. */
export interface ObservedSignal {
  /** `memory.available`, `nodefs.inodesFree`, ... */
  readonly signal: string;
  /** What is reclaimed when it is short: `memory`, `ephemeral-storage`, `inodes` or `pids`. */
  readonly resource: string;
  readonly available: number;
  readonly capacity: number;
  /** RFC 3339. */
  readonly readAt: string;
}

export interface ObservedThreshold {
  readonly signal: string;
  /** In the unit of the signal, percentages resolved; absent while the signal was not read. */
  readonly quantity?: number;
  readonly minReclaim?: number;
  /** 0 for a hard threshold. */
  readonly gracePeriodMs: number;
  /** There is less than the quantity, or once was and the minimum reclaim has not been reached since. */
  readonly met: boolean;
  /** When it was first seen to be met, RFC 3339; absent when it is not. */
  readonly metSince?: string;
}

/** One pod of a ranking, with the numbers that placed it. */
export interface RankedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly priority: number;
  /** In the unit of the ranking's resource. Absent when there are no statistics of the pod: then it ranks before all that have some. */
  readonly usage?: number;
  /** What the pod asks for and what its usage is measured against; 0 for what nobody can ask for. */
  readonly request: number;
  readonly exceedsRequest: boolean;
  /** How much `usage` is above the request (of inodes: above the request for bytes of ephemeral storage, as upstream has it). */
  readonly excess?: number;
  /** Why the pod is never evicted; absent for the others. */
  readonly exempt?: 'critical';
}

/** The order in which one signal would evict pods. */
export interface PodRanking {
  readonly signal: string;
  readonly resource: string;
  /** What usage is made of: `working set`, `processes`, or parts of `root`, `logs`, `local volumes`. */
  readonly measured: readonly string[];
  /** First is evicted first. */
  readonly pods: readonly RankedPod[];
}

export interface EvictedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The signal, or which limit of local storage: `emptydirfs.limit`, `ephemeralpodfs.limit`, `ephemeralcontainerfs.limit`. */
  readonly signal: string;
  /** As in the pod's status and event. */
  readonly message: string;
  readonly gracePeriodSeconds: number;
  /** Why the kill failed; the pass counts the pod as evicted all the same, its worker goes on ending it. */
  readonly error?: string;
}

/** Why a pass did what it did: everything that an operator needs to follow it. Plain JSON. */
export interface EvictionDecision {
  /** RFC 3339. */
  readonly time: string;
  /** Nothing of it was done. */
  readonly dryRun: boolean;
  readonly signals: readonly ObservedSignal[];
  readonly thresholds: readonly ObservedThreshold[];
  /** Node conditions that hold after the pass. */
  readonly conditions: readonly string[];
  /** The signal that pods or node resources were reclaimed for; absent when only limits of local storage were exceeded, or nothing. */
  readonly reclaimFor?: string;
  /** Node-level reclaim in order: `containers`, `images`. In a dry run what would be tried first; it might spare the pods. */
  readonly reclaimed: readonly { readonly what: 'containers' | 'images'; readonly error?: string }[];
  /** One list per signal that was ranked; in a dry run one per signal that can be ranked. */
  readonly rankings: readonly PodRanking[];
  /** In a dry run those that would be evicted. */
  readonly evicted: readonly EvictedPod[];
}
