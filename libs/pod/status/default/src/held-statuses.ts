import type { PodStatus } from '@podwright/kube-types';
import type { Clock, Timer } from '@podwright/time';
import { sameValue } from './same-value.js';

/**
 * How long a status waits for the next one when nobody waits for what it says. Between the sandbox of a pod and its
 * containers lie a few tenths of a second, more while many pods start, and one patch tells both.
 */
const heldForMs = 1_000;

/** Pods whose newest status waits for one that says more. */
export class HeldStatuses {
  private readonly timers = new Map<string, Timer>();

  constructor(
    private readonly clock: Clock,
    private readonly onOver: (uid: string) => void,
  ) {}

  has(uid: string): boolean {
    return this.timers.has(uid);
  }

  /** `forMs`: 0 is until the next turn of the event loop. A pod whose status waits already is not held longer. */
  hold(uid: string, forMs = heldForMs): void {
    if (this.timers.has(uid)) return;
    const over = (): void => {
      this.timers.delete(uid);
      this.onOver(uid);
    };
    this.timers.set(uid, this.clock.setTimer(forMs, over));
  }

  release(uid: string): void {
    this.timers.get(uid)?.cancel();
    this.timers.delete(uid);
  }

  releaseAll(): void {
    for (const uid of [...this.timers.keys()]) this.release(uid);
  }
}

/** Whether a status only says that the pod is ready to start containers, which neither ran before nor run now. */
export function saysLittleMore(before: PodStatus | undefined, after: PodStatus): boolean {
  return (
    before?.phase === 'Pending' &&
    after.phase === 'Pending' &&
    before.reason === after.reason &&
    lists.every((list) => sameValue(before[list], after[list]))
  );
}

/** Whether the status shows containers, and each of them has ended. */
export const haveAllEnded = ({ containerStatuses = [] }: PodStatus): boolean =>
  containerStatuses.length > 0 && containerStatuses.every(({ state }) => state?.terminated !== undefined);

const lists = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses', 'resize'] as const;
