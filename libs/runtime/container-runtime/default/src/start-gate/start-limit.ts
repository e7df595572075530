export interface StartLimitOptions {
  /** Where each burst begins. */
  readonly initial: number;
  /** Not less than `initial`; the same: the number never changes. */
  readonly max: number;
}

type Direction = 'up' | 'down';

// So many starts that the length of a single one does not decide.
const leastEnded = 8;
// Twice the places give twice the starts when starts wait, for a slow CNI plugin for instance, and as many as before when
// they use the processors. Some of what is between is chance.
const clearGain = 1.25;
const clearLoss = 0.85;
// On the way back to the initial number no gain is needed, but no loss is accepted.
const noLoss = 0.95;
const shortestPause = 128;
const longestPause = 1024;
// What was found belongs to the burst; the next one may have another cause.
const forgetAfterMs = 300_000;

/**
 * How many pods may start at the same time. It measures how many starts end per second while further pods wait, tries
 * twice as many at once, and keeps them when clearly more starts end. When fewer end, it tries half as many. A trial
 * that changes nothing is undone, and the next one comes after a pause that grows from trial to trial.
 */
export class StartLimit {
  private current: number;
  private window: { readonly sinceMs: number; ended: number } | undefined;
  /** What a trial is compared with. */
  private base: { readonly places: number; readonly perSecond: number } | undefined;
  private trial: Direction | undefined;
  private next: Direction = 'up';
  /** Starts until the next trial. */
  private rest = 0;
  private pause = shortestPause;
  private usedAtMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: StartLimitOptions) {
    this.current = options.initial;
  }

  get places(): number {
    return this.current;
  }

  /** A pod wants to start. */
  startWanted(atMs: number): void {
    if (atMs - this.usedAtMs > forgetAfterMs) this.settle(this.options.initial, shortestPause, 0);
    this.usedAtMs = atMs;
  }

  /** A start has ended. `contended`: other pods wait for a place. Returns true when the number of places is another. */
  startEnded(atMs: number, contended: boolean): boolean {
    const before = this.current;
    this.usedAtMs = atMs;
    if (!contended) {
      // Something else than the places decides how many starts end.
      this.window = undefined;
      if (this.trial !== undefined && this.base !== undefined) this.settle(this.base.places, this.pause, 0);
    } else if (this.window === undefined) this.window = { sinceMs: atMs, ended: 0 };
    else this.count(this.window, atMs);
    return this.current !== before;
  }

  private count(window: { readonly sinceMs: number; ended: number }, atMs: number): void {
    window.ended += 1;
    if (window.ended < Math.max(leastEnded, this.current) || atMs <= window.sinceMs) return;
    this.window = { sinceMs: atMs, ended: 0 };
    this.judge(window.ended, (1000 * window.ended) / (atMs - window.sinceMs));
  }

  private judge(ended: number, perSecond: number): void {
    const { trial, base } = this;
    if (trial === undefined || base === undefined) {
      this.base = { places: this.current, perSecond };
      if (this.rest > 0) this.rest -= ended;
      else this.try(this.next);
      return;
    }
    const gain = perSecond / base.perSecond;
    if (gain >= this.neededGain(trial, base.places)) {
      this.base = { places: this.current, perSecond };
      this.pause = shortestPause;
      this.try(trial);
      return;
    }
    const tryFewer = trial === 'up' && (gain <= clearLoss || base.places > this.options.initial);
    if (tryFewer) this.settle(base.places, this.pause, 0, 'down');
    else this.settle(base.places, Math.min(2 * this.pause, longestPause), this.pause);
  }

  private neededGain(direction: Direction, from: number): number {
    const returns = direction === 'up' ? from < this.options.initial : from > this.options.initial;
    return returns ? noLoss : clearGain;
  }

  private try(direction: Direction): void {
    const { initial, max } = this.options;
    const least = Math.ceil(initial / 2);
    const number = direction === 'up' ? Math.min(2 * this.current, max) : Math.max(Math.ceil(this.current / 2), least);
    if (number === this.current) {
      const other = direction === 'up' && number > this.options.initial ? 'down' : 'up';
      return this.settle(number, this.pause, this.pause, other);
    }
    this.current = number;
    this.trial = direction;
  }

  private settle(places: number, pause: number, rest: number, next: Direction = 'up'): void {
    this.current = places;
    this.trial = undefined;
    this.base = undefined;
    this.pause = pause;
    this.rest = rest;
    this.next = next;
  }
}
