import type { RecordedCall } from '@podwright/flight-recorder-interface';

/** What the recording has of a call: a plain call, or the opening of a stream. */
export interface Page {
  readonly at: number;
  readonly tookMs: number;
  /** True: given each time that no other is near. */
  readonly standing?: boolean;
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

// A replayed kubelet is ahead of the recorded one by the time that work took there, and never far behind.
const mostAheadMs = 2_000;
const mostBehindMs = 100;
// A kubelet under load needs some milliseconds between a call and its repetition.
const repeatedWithinMs = 20;

/** The recorded calls of one method about one thing, each given once but for those that are standing. */
export class CallBook<P extends Page = RecordedCall> {
  private next = 0;
  private last: P | undefined;
  /** Pages that were the nearest for somebody. */
  private readonly met = new Set<P>();

  private readonly pages: readonly P[];
  private readonly standing: P | undefined;

  /** In the order in which they began. */
  constructor(pages: readonly P[]) {
    this.pages = pages.filter(({ standing }) => standing !== true);
    this.standing = pages.findLast(({ standing }) => standing === true);
  }

  /** Of a call that changes something: the first that was not given yet. */
  takeChange(nowMs: number): P | undefined {
    const page = this.pages[this.next];
    if (this.standing !== undefined && (page?.at ?? Infinity) > nowMs + mostAheadMs) return this.standing;
    if (page !== undefined) this.next++;
    return page;
  }

  /**
   * As `takeChange`, of a call that is made once each period, such as a probe: skips calls of rounds before this time's,
   * because milliseconds decide whether there is one more round. A call that follows another at once repeats it.
   */
  takeDue(nowMs: number): P | undefined {
    let due = this.next;
    while ((this.pages[due + 1]?.at ?? Infinity) < nowMs - mostBehindMs) due++;
    while (due > this.next && isRepetition(this.pages[due - 1], this.pages[due])) due--;
    this.next = due;
    return this.takeChange(nowMs);
  }

  /**
   * Of a call that only asks: the one that was asked at this time. A kubelet that asks more often than the recorded one
   * gets the last answer again, one that asks less often misses answers.
   */
  takeAnswer(nowMs: number): P | undefined {
    while ((this.pages[this.next + 1]?.at ?? Infinity) < nowMs - mostBehindMs) this.last = this.pages[this.next++];
    const page = this.pages[this.next];
    if (page === undefined || (page.at > nowMs + mostAheadMs && this.last !== undefined)) return this.last;
    this.next++;
    this.last = page;
    return page;
  }

  /** As `takeAnswer`, but undefined where the next one was made later: then the recorded kubelet did nothing at this time. */
  takeNear(nowMs: number): P | undefined {
    while ((this.pages[this.next + 1]?.at ?? Infinity) < nowMs - mostBehindMs) this.next++;
    const page = this.pages[this.next];
    if (page === undefined || page.at > nowMs + mostAheadMs) return undefined;
    this.next++;
    return page;
  }

  /**
   * Of a call that only asks: the one that was asked next to this time, of those from `fromMs` on and before `toMs`, if
   * there are any. Many that ask the same do not depend on who asks first. One that asks late does not wait for the next.
   */
  nearest(nowMs: number, { fromMs = -Infinity, toMs = Infinity }: Partial<Span> = {}): P | undefined {
    const within = this.pages.filter(({ at }) => at >= fromMs && at < toMs);
    const pages = within.length > 0 ? within : this.pages;
    const later = pages.findIndex(({ at }) => at >= nowMs);
    const [before, after] = later === -1 ? [pages.at(-1)] : [pages[later - 1], pages[later]];
    const isLate = before !== undefined && !this.met.has(before);
    const isNearer = before !== undefined && nowMs - before.at < (after?.at ?? Infinity) - nowMs;
    const page = isLate || isNearer ? before : after;
    if (page !== undefined) this.met.add(page);
    return page;
  }

  /** The first that began later than this. */
  after(nowMs: number): P | undefined {
    return this.pages.find(({ at }) => at > nowMs);
  }

  /** The time between the change that was given last and the next one. */
  between(): Span {
    const [before, after] = [this.pages[this.next - 1], this.pages[this.next]];
    return {
      fromMs: before === undefined ? -Infinity : before.at + before.tookMs,
      toMs: after === undefined ? Infinity : after.at + after.tookMs,
    };
  }
}

const isRepetition = (before: Page | undefined, page: Page | undefined): boolean =>
  before !== undefined && page !== undefined && page.at - (before.at + before.tookMs) < repeatedWithinMs;
