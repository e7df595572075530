export interface ImageUser {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

export interface ImageRow {
  readonly id: string;
  /** Tags and digests. */
  readonly names: readonly string[];
  readonly sizeBytes: number;
  /** The runtime keeps it, whoever uses it. */
  readonly pinned: boolean;
  readonly users: readonly ImageUser[];
}

export interface PullInProgress {
  /** As the pod's spec has it. */
  readonly image: string;
  /** `namespace/name`. */
  readonly pod: string;
  readonly sinceMs: number;
  readonly state: 'queued' | 'pulling';
}

/** The images of the node, the largest first, and what is being pulled. */
export interface ImagesView {
  readonly imageFsUsedBytes?: number;
  readonly imageFsCapacityBytes?: number;
  readonly images: readonly ImageRow[];
  readonly pulls: readonly PullInProgress[];
}
