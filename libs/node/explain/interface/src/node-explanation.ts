/** What a node's explanation is about: a closed set, each with its own advice. */
export const nodeSituations = [
  'runtime-down',
  'network-not-ready',
  'not-ready',
  'lease-failing',
  'status-failing',
  'memory-pressure',
  'disk-pressure',
  'pid-pressure',
  'image-gc-failing',
  'near-pressure',
  'was-not-ready',
  'ready',
] as const;

export type NodeSituation = (typeof nodeSituations)[number];

export interface ExplainedCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly sinceMs?: number;
}

/** One signal with its tightest threshold. Quantities are bytes, inodes or process IDs. */
export interface ExplainedPressure {
  readonly signal: string;
  readonly resource: string;
  readonly available: number;
  readonly capacity: number;
  /** Below this much the kubelet evicts; absent when the signal has no threshold. */
  readonly threshold?: number;
  /** How much may still be used until then; negative when the threshold is met. */
  readonly distance?: number;
  /** 0 for a hard threshold. */
  readonly gracePeriodMs?: number;
  readonly met: boolean;
  readonly metSinceMs?: number;
}

/** A pod at its place in the order of eviction for one signal. */
export interface ExplainedCandidate {
  readonly namespace: string;
  readonly name: string;
  readonly signal: string;
  readonly usage?: number;
  readonly request: number;
  readonly priority: number;
}

export interface ExplainedEviction {
  readonly atMs: number;
  readonly namespace: string;
  readonly name: string;
  readonly signal: string;
  readonly message: string;
}

export interface ExplainedImageRemoval {
  readonly atMs: number;
  readonly image: string;
  readonly cause: 'threshold' | 'age' | 'eviction';
  readonly sizeBytes: number;
  /** How long no container had used it; absent when none ever had. */
  readonly unusedMs?: number;
  /** Why it is still there. */
  readonly error?: string;
}

/** A pass of the image garbage collection. */
export interface ExplainedImageGc {
  readonly atMs: number;
  readonly cause: 'threshold' | 'age' | 'eviction';
  readonly usagePercent?: number;
  readonly highThresholdPercent?: number;
  readonly freedBytes: number;
  readonly removed: number;
  readonly error?: string;
}

/** A time in which the node was not Ready, other than the moments after the start of a kubelet. */
export interface ExplainedOutage {
  readonly fromMs: number;
  /** Absent while it lasts. */
  readonly untilMs?: number;
  readonly reason: string;
  readonly message: string;
}

export interface ExplainedContact {
  /** What cannot be sent: the node's `lease` or its `status`. */
  readonly what: 'lease' | 'status';
  readonly sinceMs: number;
  readonly error: string;
  readonly advice?: string;
}

/** How the node is, why, and what it does about it. Plain JSON. Times are Unix milliseconds of the wall clock. */
export interface NodeExplanation {
  readonly apiVersion: 'explain.podwright.dev/v1alpha1';
  readonly kind: 'NodeExplanation';
  readonly atMs: number;
  readonly node?: string;
  readonly ready: boolean;
  readonly situation: NodeSituation;
  readonly headline: string;
  readonly advice: string;
  /** Without those that say that all is well, except Ready. */
  readonly conditions: readonly ExplainedCondition[];
  readonly runtimeErrors: readonly string[];
  readonly networkErrors: readonly string[];
  /** Nearest to its threshold first. */
  readonly pressures: readonly ExplainedPressure[];
  /** Who would be evicted first for the first of {@link pressures}, in order, at most five. */
  readonly next: readonly ExplainedCandidate[];
  /** Of the last day, newest first, at most five. */
  readonly evictions: readonly ExplainedEviction[];
  readonly imageRemovals: readonly ExplainedImageRemoval[];
  readonly imageGcs: readonly ExplainedImageGc[];
  readonly outages: readonly ExplainedOutage[];
  /** Calls to the API server that fail at the moment. */
  readonly contacts: readonly ExplainedContact[];
  readonly notes: readonly string[];
}
