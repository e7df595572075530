import { Mutex } from '@podwright/concurrency';
import { fnv1a32 } from '@podwright/kube-types';

const mostStripes = 31;

/**
 * A few locks shared by many keys: `run` serialises work on one key, `runAlone` excludes work on every key. Source:
 * kubernetes v1.36 pkg/kubelet/images/pullmanager/locks.go.
 */
export class StripedLocks {
  private readonly locks: readonly Mutex[];

  /** `stripes` is clamped to 1..31. */
  constructor(stripes: number) {
    const count = Math.min(mostStripes, Math.max(1, stripes));
    this.locks = Array.from({ length: count }, () => new Mutex());
  }

  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const lock = this.locks[fnv1a32(key) % this.locks.length] as Mutex;
    return lock.run(task);
  }

  /** Runs `task` while it holds all locks. It takes them in a fixed order, so that two such calls cannot deadlock. */
  runAlone<T>(task: () => Promise<T>): Promise<T> {
    return this.locks.reduceRight<() => Promise<T>>((inner, lock) => () => lock.run(inner), task)();
  }
}
