import { Mutex } from '@podwright/concurrency';

/** Runs tasks with the same key one after another. */
export class SetUpLocks {
  private readonly locks = new Map<string, { readonly mutex: Mutex; users: number }>();

  async run<T>(key: string, task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const lock = this.locks.get(key) ?? { mutex: new Mutex(), users: 0 };
    this.locks.set(key, lock);
    lock.users++;
    try {
      return await lock.mutex.run(task, { signal });
    } finally {
      if (--lock.users === 0) this.locks.delete(key);
    }
  }
}
