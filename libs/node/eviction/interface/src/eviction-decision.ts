/** One reading of an eviction signal. Quantities are bytes, inodes or process IDs. */
export interface ObservedSignal {
  /** `memory.available`, `nodefs.inodesFree`, ... */
  readonly signal: string;
  /** The resource to reclaim: `memory`, `ephemeral-storage`, `inodes` or `pids`. */
  readonly resource: string;
  readonly available: number;
  readonly capacity: number;
  /** RFC 3339. */
  readonly readAt: string;
}

export interface ObservedThreshold {
  readonly signal: string;
  /** In the unit of the signal, with percentages resolved; absent when the signal could not be read. */
  readonly quantity?: number;
  readonly minReclaim?: number;
  /** 0 for a hard threshold. */
  readonly gracePeriodMs: number;
  /**
   * True when less than `quantity` is available. Once met, it stays true until `quantity` plus `minReclaim` is
   * available.
   */
  readonly met: boolean;
  /** When a pass first found it met, RFC 3339; absent when it is not met. */
  readonly metSince?: string;
}

/** One pod of a ranking, with the numbers that decide its place. */
export interface RankedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly priority: number;
  /**
   * In the unit of the ranking's resource. Absent for a pod without statistics, which ranks before all pods that have
   * some.
   */
  readonly usage?: number;
  /** The pod's request, which its usage is compared with; 0 for resources that have no requests. */
  readonly request: number;
  readonly exceedsRequest: boolean;
  /**
   * `usage` minus the request. For inodes, upstream subtracts the request for bytes of ephemeral storage, and so does
   * this.
   */
  readonly excess?: number;
  /** Why the pod is never evicted; absent for the others. */
  readonly exempt?: 'critical';
}

/** The order in which one signal would evict pods. */
export interface PodRanking {
  readonly signal: string;
  readonly resource: string;
  /** The parts that make up `usage`: `working set`, `processes`, or some of `root`, `logs`, `local volumes`. */
  readonly measured: readonly string[];
  /** In order of eviction: the first one is evicted first. */
  readonly pods: readonly RankedPod[];
}

export interface EvictedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The signal, or the exceeded limit: `emptydirfs.limit`, `ephemeralpodfs.limit` or `ephemeralcontainerfs.limit`. */
  readonly signal: string;
  /** The message of the pod's status and event. */
  readonly message: string;
  readonly gracePeriodSeconds: number;
  /** Why the kill failed. The pod counts as evicted all the same, and its worker retries the kill. */
  readonly error?: string;
}

/** The record of one eviction pass: all that an operator needs to understand what it did and why. Plain JSON. */
export interface EvictionDecision {
  /** RFC 3339. */
  readonly time: string;
  /** True for a plan that was not carried out. */
  readonly dryRun: boolean;
  readonly signals: readonly ObservedSignal[];
  readonly thresholds: readonly ObservedThreshold[];
  /** Node conditions that hold after the pass. */
  readonly conditions: readonly string[];
  /**
   * The signal that caused the pass to reclaim; absent when it evicted pods over local storage limits, or did nothing.
   */
  readonly reclaimFor?: string;
  /**
   * Node-level reclaim, in order: `containers`, `images`. In a dry run, what a pass would try first; when that frees
   * enough, a real pass evicts no pod.
   */
  readonly reclaimed: readonly { readonly what: 'containers' | 'images'; readonly error?: string }[];
  /** One ranking per signal that the pass ranked; in a dry run one per signal that can be ranked. */
  readonly rankings: readonly PodRanking[];
  /** In a dry run: the pods that a pass would evict. */
  readonly evicted: readonly EvictedPod[];
}
