/** One signal as it was read. Quantities are bytes, inodes or process numbers. */
export interface ObservedSignal {
  /** `memory.available`, `nodefs.inodesFree`, ... */
  readonly signal: string;
  readonly available: number;
  readonly capacity: number;
  /** RFC 3339. */
  readonly readAt: string;
}

export interface ObservedThreshold {
  readonly signal: string;
  /** In the unit of the signal, percentages resolved. */
  readonly quantity: number;
  readonly minReclaim: number;
  /** 0 for a hard threshold. */
  readonly gracePeriodMs: number;
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
  /** Absent when there are no statistics of the pod: then it ranks first. */
  readonly usage?: number;
  readonly request: number;
  readonly exceedsRequest: boolean;
  /** Why the pod is never evicted; absent for the others. */
  readonly exempt?: string;
}

/** Why a pass did what it did: everything that an operator needs to follow it. Plain JSON. */
export interface EvictionDecision {
  /** RFC 3339. */
  readonly time: string;
  readonly signals: readonly ObservedSignal[];
  readonly thresholds: readonly ObservedThreshold[];
  /** Node-level reclaim that was tried, in order: `containers`, `images`. */
  readonly reclaimed: readonly { readonly what: string; readonly error?: string }[];
  /** First is evicted first; one list per signal that was ranked. */
  readonly rankings: readonly { readonly signal: string; readonly pods: readonly RankedPod[] }[];
  readonly evicted: readonly {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    /** The signal, or which limit of local storage. */
    readonly signal: string;
    readonly message: string;
    readonly gracePeriodSeconds: number;
    /** Why the kill failed; the pass counts it as evicted all the same. */
    readonly error?: string;
  }[];
}
