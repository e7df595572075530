/** What the shutdown manager needs of the machine's session manager. */
export interface Logind {
  /** How long the machine waits for holders of a lock, in milliseconds. */
  inhibitDelayMs(): Promise<number>;
  /** Asks for a longer wait; takes effect some time later. */
  raiseInhibitDelay(delayMs: number): Promise<void>;
  /** Holds the shutdown up until the lock is released. Rejects with `unavailable` when that is refused. */
  inhibit(signal: AbortSignal): Promise<InhibitorLock>;
  /** Calls for each announcement, and for each one taken back. Returns unsubscribe. */
  watchShutdown(listener: (shuttingDown: boolean) => void): Promise<() => void>;
  /** Resolves with the reason when the connection is lost or closed. */
  readonly lost: Promise<Error | undefined>;
  /** Never rejects; may come twice. */
  close(): Promise<void>;
}

export interface InhibitorLock {
  /** Resolves when it is let go; may come twice. */
  release(): Promise<void>;
}

/** Connects; rejects with `unavailable` where there is no bus or no logind on it. */
export type ConnectLogind = (signal: AbortSignal) => Promise<Logind>;
