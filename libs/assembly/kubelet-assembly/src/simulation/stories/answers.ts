import type { Clock } from '@podwright/time';

/** Gives an answer to a kubelet by its own clock: the timers of a dead one never fire, so it gets none. */
export const answerOn = <T>(clock: Clock, answer: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    answer.then(
      (value) => clock.setTimer(0, () => resolve(value)),
      (error: unknown) => clock.setTimer(0, () => reject(error as Error)),
    );
  });
