import { Mutex } from '@podwright/concurrency';

/**
 * Lets one operation at a time work on a claim: a pod must neither use what another one is unpreparing, nor ask the
 * driver while another one does.
 */
export class ClaimLocks {
  private readonly locks = new Map<string, { readonly mutex: Mutex; users: number }>();

  /** Runs `work` when it is this caller's turn for all keys; a caller whose signal aborts gives up waiting. */
  hold<T>(keys: Iterable<string>, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    // One order for all callers, so that none waits for another in a circle.
    return this.enter([...new Set(keys)].sort(), work, signal);
  }

  private async enter<T>(keys: readonly string[], work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const [key, ...rest] = keys;
    if (key === undefined) return work();
    const lock = this.locks.get(key) ?? { mutex: new Mutex(), users: 0 };
    this.locks.set(key, lock);
    lock.users += 1;
    try {
      return await lock.mutex.run(() => this.enter(rest, work, signal), signal === undefined ? {} : { signal });
    } finally {
      lock.users -= 1;
      if (lock.users === 0) this.locks.delete(key);
    }
  }
}
