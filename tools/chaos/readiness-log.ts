/** A change of readiness that somebody saw in the API. */
export interface Flip {
  /** `node NAME` or `pod NAME`. */
  readonly of: string;
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly ready: boolean;
  /** Reason and message of the condition. */
  readonly says: string;
}

/** Why something may have been unready: a case declares what its own trouble explains. */
export interface Excuse {
  /** Which `Flip.of`. */
  readonly of: RegExp;
  readonly because: string;
  /** Unix milliseconds; default: at any time. */
  readonly fromMs?: number;
  readonly untilMs?: number;
}

/** The readiness of the node and of each pod over time, from what a watch reports. */
export class ReadinessLog {
  private readonly current = new Map<string, boolean>();
  private readonly seen: Flip[] = [];

  /** What was never ready does not flip: it only becomes so. */
  observe(flip: Flip): void {
    const before = this.current.get(flip.of);
    if (before === flip.ready || (before === undefined && !flip.ready)) return;
    this.current.set(flip.of, flip.ready);
    if (before !== undefined) this.seen.push(flip);
  }

  /** The pod is deleted or is on its way out: what it says from now on is no flip. */
  forget(of: string): void {
    this.current.delete(of);
  }

  get flips(): readonly Flip[] {
    return this.seen;
  }

  /** Each time that something ready became unready and no excuse covers. */
  withoutCause(excuses: readonly Excuse[]): readonly Flip[] {
    return this.seen.filter((flip) => !flip.ready && !excuses.some((excuse) => covers(excuse, flip)));
  }

  /** The excuses that were needed, each once. */
  used(excuses: readonly Excuse[]): readonly Excuse[] {
    return excuses.filter((excuse) => this.seen.some((flip) => !flip.ready && covers(excuse, flip)));
  }
}

const covers = ({ of, fromMs = -Infinity, untilMs = Infinity }: Excuse, flip: Flip): boolean =>
  of.test(flip.of) && flip.atMs >= fromMs && flip.atMs <= untilMs;
