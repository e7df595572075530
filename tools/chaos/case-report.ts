import type { Excuse, Flip, ReadinessLog } from './readiness-log.js';

/** How a case ended: all promises kept, one broken, or the trouble could not be made. */
export type Outcome = 'kept' | 'broken' | 'not tried';

export interface CaseResult {
  readonly name: string;
  readonly does: string;
  readonly outcome: Outcome;
  readonly stayed: readonly string[];
  readonly lost: readonly string[];
  /** Readiness that flipped without cause. */
  readonly flips: readonly string[];
  /** What was unready with a cause, and other remarks. */
  readonly notes: readonly string[];
  /** From the end of the trouble until all was well. */
  readonly wellSeconds: number | undefined;
  readonly seconds: number;
}

const shownFlips = 6;

/** Collects what a case sees, and judges it. */
export class CaseReport {
  private readonly stayedUp: string[] = [];
  private readonly losses: string[] = [];
  private readonly remarks: string[] = [];
  private readonly excuses: Excuse[] = [];
  private begun = false;
  private wellSeconds: number | undefined;

  /** From here on, what goes wrong is the kubelet's doing. */
  begins(): void {
    this.begun = true;
  }

  stayed(what: string): void {
    this.stayedUp.push(what);
  }

  /** Each loss breaks a promise. */
  lost(...what: readonly string[]): void {
    this.losses.push(...what);
  }

  note(what: string): void {
    this.remarks.push(what);
  }

  /** Of several times the longest counts. */
  well(seconds: number): void {
    this.wellSeconds = Math.max(seconds, this.wellSeconds ?? 0);
  }

  excuse(excuse: Excuse): void {
    this.excuses.push(excuse);
  }

  result(of: { readonly name: string; readonly does: string }, log: ReadinessLog, seconds: number): CaseResult {
    const causeless = log.withoutCause(this.excuses);
    const shown = causeless.slice(0, shownFlips).map(describe);
    const more = causeless.length > shownFlips ? [`and ${causeless.length - shownFlips} more`] : [];
    const excused = log.used(this.excuses).map(({ because }) => because);
    return {
      ...{ name: of.name, does: of.does },
      outcome: !this.begun ? 'not tried' : this.losses.length + causeless.length > 0 ? 'broken' : 'kept',
      stayed: this.stayedUp,
      lost: this.losses,
      flips: [...shown, ...more],
      notes: [...this.remarks, ...excused],
      wellSeconds: this.wellSeconds,
      seconds,
    };
  }
}

const describe = ({ of, says, atMs }: Flip): string =>
  `${of} became unready at ${new Date(atMs).toISOString().slice(11, 19)}${says === '' ? '' : `: ${says}`}`;
