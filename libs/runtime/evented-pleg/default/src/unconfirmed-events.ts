import type { Clock, Timer } from '@podwright/time';
import type { Progress } from './container-progress.js';

interface UnconfirmedEvent {
  readonly podUid: string;
  readonly said: Progress;
  rounds: number;
}

// All events share the rounds, so the first one may come a quarter of a second early.
const roundMs = 250;
// Rounds in which the pod is relisted again: after 1, 3 and 10 s. After the last one only the safety net remains.
const relistRounds: ReadonlySet<number> = new Set([4, 12, 40]);
const lastRound = Math.max(...relistRounds);
/** First round for a pod that another component will most likely relist: it skips the early relists. */
const roundBeforeLast = 12;
// A flood of unconfirmed events must not fill the memory.
const mostEvents = 1000;

/**
 * Events that their relist did not confirm, because the runtime sent them before its own lists showed the change or
 * because the relist failed. Their pods are relisted a few more times.
 */
export class UnconfirmedEvents {
  private readonly events = new Map<string, UnconfirmedEvent>();
  private timer: Timer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly isUnconfirmed: (podUid: string, containerId: string, said: Progress) => boolean,
    private readonly relist: (podUid: string) => void,
  ) {}

  /** With `others`, another component is likely to relist the pod first, so only the last of these relists is made. */
  add(podUid: string, containerId: string, said: Progress, { others }: { readonly others: boolean }): void {
    if (this.events.size >= mostEvents && !this.events.has(containerId)) return;
    this.events.set(containerId, { podUid, said, rounds: others ? roundBeforeLast : 0 });
    this.timer ??= this.clock.setTimer(roundMs, () => this.round());
  }

  has(podUid: string): boolean {
    for (const one of this.events.values()) if (one.podUid === podUid) return true;
    return false;
  }

  clear(): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.events.clear();
  }

  private round(): void {
    this.timer = undefined;
    for (const [containerId, one] of this.events) {
      one.rounds++;
      if (!this.isUnconfirmed(one.podUid, containerId, one.said)) this.events.delete(containerId);
      else {
        if (relistRounds.has(one.rounds)) this.relist(one.podUid);
        if (one.rounds >= lastRound) this.events.delete(containerId);
      }
    }
    if (this.events.size > 0) this.timer = this.clock.setTimer(roundMs, () => this.round());
  }
}
