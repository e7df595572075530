import type { PodLifecycleEvent } from '@podwright/pleg-interface';
import type { PodUpdate } from '@podwright/pod-config-interface';
import type { ProbeUpdate } from '@podwright/probe-interface';

/** Everything that can wake the loop. */
export type LoopInput =
  | { readonly kind: 'config'; readonly update: PodUpdate }
  | { readonly kind: 'pleg'; readonly event: PodLifecycleEvent }
  | { readonly kind: 'probe'; readonly update: ProbeUpdate }
  | { readonly kind: 'due'; readonly podUid: string }
  | { readonly kind: 'housekeeping' };

// A hint that is lost costs a resync period; upstream's event channel has the same size.
const maxHints = 1000;

/**
 * The inputs that wait for the loop. Config updates are never dropped, they are differences; of the hints (pleg, due)
 * more than 1000 may not wait, and one housekeeping pass is enough.
 */
export class LoopInputs {
  private readonly waiting: LoopInput[] = [];
  private wake: (() => void) | undefined;
  private hints = 0;
  private housekeepingWaits = false;

  push(input: LoopInput): boolean {
    if (input.kind === 'housekeeping') {
      if (this.housekeepingWaits) return false;
      this.housekeepingWaits = true;
    }
    if (input.kind === 'pleg' || input.kind === 'due') {
      if (this.hints >= maxHints) return false;
      this.hints += 1;
    }
    this.waiting.push(input);
    this.wake?.();
    return true;
  }

  /** The next input in order of arrival; rejects with the signal's reason. One waiter at a time. */
  async next(signal: AbortSignal): Promise<LoopInput> {
    for (;;) {
      signal.throwIfAborted();
      const input = this.waiting.shift();
      if (input !== undefined) {
        if (input.kind === 'housekeeping') this.housekeepingWaits = false;
        if (input.kind === 'pleg' || input.kind === 'due') this.hints -= 1;
        return input;
      }
      await this.arrival(signal);
    }
  }

  private arrival(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', done);
        this.wake = undefined;
        resolve();
      };
      this.wake = done;
      signal.addEventListener('abort', done, { once: true });
    });
  }
}
