import type { PodLifecycleEvent } from '@podwright/pleg-interface';
import type { PodUpdate } from '@podwright/pod-config-interface';
import type { ProbeUpdate } from '@podwright/probe-interface';
import { onAbort } from '@podwright/time';

/** Everything that wakes the loop. */
export type LoopInput =
  | { readonly kind: 'config'; readonly update: PodUpdate }
  | { readonly kind: 'pleg'; readonly event: PodLifecycleEvent }
  | { readonly kind: 'probe'; readonly update: ProbeUpdate }
  | { readonly kind: 'due'; readonly podUid: string }
  | { readonly kind: 'housekeeping' };

// A lost pleg event costs at most a resync period; upstream's event channel has the same size.
const maxEvents = 1000;

/**
 * The inputs that wait for the loop. Never drops config updates, which are differences, or probe results. Keeps a due
 * pod once, however often it is reported, and never drops it, as it would get no further turn. Keeps at most 1000 pleg
 * events and one housekeeping pass.
 */
export class LoopInputs {
  private readonly waiting: LoopInput[] = [];
  private readonly due = new Set<string>();
  private wake: (() => void) | undefined;
  private events = 0;
  private housekeepingWaits = false;

  /** False: the input was dropped, because there are too many or an equal one already waits. */
  push(input: LoopInput): boolean {
    if (!this.admit(input)) return false;
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
        this.release(input);
        return input;
      }
      await this.arrival(signal);
    }
  }

  private admit(input: LoopInput): boolean {
    if (input.kind === 'housekeeping') {
      if (this.housekeepingWaits) return false;
      this.housekeepingWaits = true;
    } else if (input.kind === 'due') {
      if (this.due.has(input.podUid)) return false;
      this.due.add(input.podUid);
    } else if (input.kind === 'pleg') {
      if (this.events >= maxEvents) return false;
      this.events += 1;
    }
    return true;
  }

  private release(input: LoopInput): void {
    if (input.kind === 'housekeeping') this.housekeepingWaits = false;
    else if (input.kind === 'due') this.due.delete(input.podUid);
    else if (input.kind === 'pleg') this.events -= 1;
  }

  private arrival(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        unsubscribe();
        this.wake = undefined;
        resolve();
      };
      this.wake = done;
      const unsubscribe = onAbort(signal, done);
    });
  }
}
