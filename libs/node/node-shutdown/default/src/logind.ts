/** The session manager's functions that the shutdown manager needs. */
export interface Logind {
  /** How long a shutdown waits for holders of a lock, in milliseconds. */
  inhibitDelayMs(): Promise<number>;
  /** Requests a longer delay; it takes effect some time later. */
  raiseInhibitDelay(delayMs: number): Promise<void>;
  /** Delays the shutdown until the lock is released. Rejects with `unavailable` when logind refuses. */
  inhibit(signal: AbortSignal): Promise<InhibitorLock>;
  /** Calls the listener when a shutdown is announced and when it is cancelled. Resolves with unsubscribe. */
  watchShutdown(listener: (shuttingDown: boolean) => void): Promise<() => void>;
  /** Resolves with the reason when the connection is lost or closed. */
  readonly lost: Promise<Error | undefined>;
  /** Never rejects; may be called twice. */
  close(): Promise<void>;
}

export interface InhibitorLock {
  /** Resolves when the lock is released; may be called twice. */
  release(): Promise<void>;
}

/** Connects; rejects with `unavailable` without a bus or without logind on it. */
export type ConnectLogind = (signal: AbortSignal) => Promise<Logind>;
