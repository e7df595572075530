import { Gate } from './gate.js';
import type { EnterOptions } from './gate.js';

/** Runs tasks one at a time, in order of arrival (or by priority). */
export class Mutex {
  private readonly gate: Gate;

  /** `maxWaiting`: the most waiting callers; further ones are rejected with `resource-exhausted`. Default 10000. */
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

/** Wraps a function so that its calls run one after another, in order. A failed call does not affect the next. */
export function serialize<A extends readonly unknown[], R>(
  task: (...args: A) => Promise<R> | R,
  options: { readonly maxWaiting?: number } = {},
): (...args: A) => Promise<R> {
  const mutex = new Mutex(options);
  return (...args) => mutex.run(() => task(...args));
}
