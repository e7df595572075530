/** Upstream's names of a sync's actions; error messages show them. */
export type SyncAction =
  | 'StartContainer'
  | 'KillContainer'
  | 'RemoveContainer'
  | 'CreatePodSandbox'
  | 'ConfigPodSandbox'
  | 'KillPodSandbox'
  | 'ResizePodInPlace';

/** Outcome of one action of a sync. `reason` is upstream's name of the error (ErrImagePull, CrashLoopBackOff, ...). */
export interface SyncResult {
  readonly action: SyncAction;
  /** Container name or pod id. */
  readonly target: string;
  readonly error?: { readonly reason: string; readonly message: string; readonly cause?: unknown };
  /** Unix milliseconds at which the action is worth another try: the end of a back-off, or of something that passes soon. */
  readonly backOffUntilMs?: number;
}

/** Outcome of one sync or kill. It failed when `error` is set or any result has an error. */
export interface PodSyncResult {
  readonly results: readonly SyncResult[];
  /** Failure of the sync itself, outside any action. */
  readonly error?: Error;
}
