import { Gate } from './gate.js';
import type { EnterOptions } from './gate.js';

/** One at a time, first come first served. */
export class Mutex {
  private readonly gate: Gate;

  /** `maxWaiting`: most callers waiting, a further one is rejected with `resource-exhausted`. Default 10000. */
  constructor(options: { readonly maxWaiting?: number } = {}) {
    this.gate = new Gate({ places: 1, ...options });
  }

  get locked(): boolean {
    return this.gate.stats().running > 0;
  }

  run<T>(task: () => Promise<T> | T, options: EnterOptions = {}): Promise<T> {
    return this.gate.run(task, options);
  }
}

/** Makes a function whose calls run one after another, in order; a failed call does not stop the next. */
export function serialize<A extends readonly unknown[], R>(
  task: (...args: A) => Promise<R> | R,
  options: { readonly maxWaiting?: number } = {},
): (...args: A) => Promise<R> {
  const mutex = new Mutex(options);
  return (...args) => mutex.run(() => task(...args));
}
