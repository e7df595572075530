import { Mutex } from '@podwright/concurrency';

const mostStripes = 31;

/**
 * A few locks for many keys: work on one key is one after another, on all keys alone with `runAlone`. Source: kubernetes v1.36
 * pkg/kubelet/images/pullmanager/locks.go.
 */
export class StripedLocks {
  private readonly locks: readonly Mutex[];

  /** `stripes` is brought between 1 and 31. */
  constructor(stripes: number) {
    const count = Math.min(mostStripes, Math.max(1, stripes));
    this.locks = Array.from({ length: count }, () => new Mutex());
  }

  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const lock = this.locks[fnv32(key) % this.locks.length] as Mutex;
    return lock.run(task);
  }

  /** While nobody is inside. Takes the locks in one order, so that two of these do not wait for each other. */
  runAlone<T>(task: () => Promise<T>): Promise<T> {
    return this.locks.reduceRight<() => Promise<T>>((inner, lock) => () => lock.run(inner), task)();
  }
}

/** FNV-1 of 32 bits, as Go's fnv.New32. */
function fnv32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}
