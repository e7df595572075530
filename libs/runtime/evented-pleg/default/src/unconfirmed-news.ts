import type { Clock, Timer } from '@podwright/time';
import type { Progress } from './event-news.js';

interface News {
  readonly podUid: string;
  readonly said: Progress;
  rounds: number;
}

const roundMs = 1000;
// Rounds in which a look is made again; after the last one only the safety net is left.
const looksInRounds: ReadonlySet<number> = new Set([1, 3, 10]);
const lastRound = Math.max(...looksInRounds);
/** Looks before this round are left out for what somebody else looks at in most cases. */
const roundBeforeLast = 3;
// A flood of events that nothing confirms must not hold memory.
const mostNews = 1000;

/**
 * Events that the look they led to did not confirm: the runtime told them before its own lists showed them, or the look has
 * failed. They are looked for a few times more.
 */
export class UnconfirmedNews {
  private readonly news = new Map<string, News>();
  private timer: Timer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly isNews: (podUid: string, containerId: string, said: Progress) => boolean,
    private readonly look: (podUid: string) => void,
  ) {}

  /** With `others` a look by somebody else is likely to come first, and only the last of these looks is made. */
  add(podUid: string, containerId: string, said: Progress, { others }: { readonly others: boolean }): void {
    if (this.news.size >= mostNews && !this.news.has(containerId)) return;
    this.news.set(containerId, { podUid, said, rounds: others ? roundBeforeLast : 0 });
    this.timer ??= this.clock.setTimer(roundMs, () => this.round());
  }

  has(podUid: string): boolean {
    for (const one of this.news.values()) if (one.podUid === podUid) return true;
    return false;
  }

  clear(): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.news.clear();
  }

  private round(): void {
    this.timer = undefined;
    for (const [containerId, one] of this.news) {
      one.rounds++;
      if (!this.isNews(one.podUid, containerId, one.said)) this.news.delete(containerId);
      else {
        if (looksInRounds.has(one.rounds)) this.look(one.podUid);
        if (one.rounds >= lastRound) this.news.delete(containerId);
      }
    }
    if (this.news.size > 0) this.timer = this.clock.setTimer(roundMs, () => this.round());
  }
}
