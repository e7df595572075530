import { Mutex } from '@podwright/concurrency';

/** Locks by the name of a target: volumes that share a session must not log in and out at the same time. */
export class TargetLocks {
  private readonly locks = new Map<string, { readonly mutex: Mutex; users: number }>();

  /** The signal ends the wait only. */
  async run<T>(iqn: string, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const lock = this.locks.get(iqn) ?? { mutex: new Mutex(), users: 0 };
    this.locks.set(iqn, lock);
    lock.users++;
    try {
      return await lock.mutex.run(task, { signal });
    } finally {
      if (--lock.users === 0) this.locks.delete(iqn);
    }
  }
}
