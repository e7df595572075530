import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { ConnectLogind, InhibitorLock, Logind } from './logind.js';

// Delays between checks whether logind applied the longer delay, as upstream.
const rereadDelaysMs = [100, 200, 400, 800, 1_600];
const callTimeoutMs = 10_000;

export interface LogindWatchDeps {
  readonly connect: ConnectLogind;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A connection to logind with the inhibitor lock, once both are there. */
export class LogindWatch {
  private lock: InhibitorLock | undefined;

  private constructor(
    private readonly logind: Logind,
    private readonly deps: LogindWatchDeps,
  ) {}

  /** Connects, raises logind's delay if needed and takes the lock. Rejects with the reason why it cannot. */
  static async open(deps: LogindWatchDeps, neededMs: number, signal: AbortSignal): Promise<LogindWatch> {
    const limit = deps.clock.deadline(callTimeoutMs, signal);
    try {
      const logind = await deps.connect(limit.signal);
      const watch = new LogindWatch(logind, deps);
      try {
        await watch.ensureDelay(neededMs, signal);
        await watch.takeLock(signal);
        return watch;
      } catch (error) {
        await watch.close();
        throw error;
      }
    } finally {
      limit.dispose();
    }
  }

  /** Resolves when the connection is lost, with the reason. */
  get lost(): Promise<Error | undefined> {
    return this.logind.lost;
  }

  onShutdown(listener: (shuttingDown: boolean) => void): Promise<() => void> {
    return this.logind.watchShutdown(listener);
  }

  async takeLock(signal: AbortSignal): Promise<void> {
    await this.releaseLock();
    const limit = this.deps.clock.deadline(callTimeoutMs, signal);
    try {
      this.lock = await this.logind.inhibit(limit.signal);
    } finally {
      limit.dispose();
    }
  }

  async releaseLock(): Promise<void> {
    const lock = this.lock;
    this.lock = undefined;
    await lock?.release();
  }

  async close(): Promise<void> {
    await this.releaseLock();
    await this.logind.close();
  }

  private async ensureDelay(neededMs: number, signal: AbortSignal): Promise<void> {
    if ((await this.logind.inhibitDelayMs()) >= neededMs) return;
    await this.logind.raiseInhibitDelay(neededMs);
    let delayMs = 0;
    for (const pauseMs of rereadDelaysMs) {
      await this.deps.clock.sleep(pauseMs, signal);
      delayMs = await this.logind.inhibitDelayMs();
      if (delayMs >= neededMs) return;
    }
    const message = `node shutdown manager was unable to update logind InhibitDelayMaxSec to ${neededMs / 1000}s (ShutdownGracePeriod), current value of InhibitDelayMaxSec (${delayMs / 1000}s) is less than requested ShutdownGracePeriod; look whether another file in logind.conf.d sets it`;
    throw new KubeletError(message, { code: 'failed-precondition' });
  }
}
