import type { Clock } from '@podwright/time';

/** Resolves when the work has settled, or after `ms`; the work then continues. */
export function waitAtMost(clock: Pick<Clock, 'setTimer'>, ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimer(ms, resolve);
    const done = (): void => {
      timer.cancel();
      resolve();
    };
    void work.then(done, done);
  });
}
