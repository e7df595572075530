import { abortReason, onAbort } from '@podwright/time';

export interface FairTurnsOptions {
  /** How many may have a turn at a time. */
  readonly places: number;
  /** How many may wait, all sources together. */
  readonly maxWaiting: number;
  /** The source that need not wait for the turns of the others. */
  readonly preferred: string;
}

/** `true`: it is the caller's turn, until `leave()`; `false`: too many wait. */
type Admit = (admitted: boolean) => void;

/**
 * Turns for work that strangers can cause. The sources take turns, whatever each of them asks for. When too many wait,
 * the newest of the source with most of them has to go: a flood crowds out itself.
 */
export class FairTurns {
  /** In the order of their next turns. No source is in here without callers that wait. */
  private readonly waiting = new Map<string, Admit[]>();
  private waitingCount = 0;
  private running = 0;

  constructor(private readonly options: FairTurnsOptions) {}

  /**
   * Resolves with a function that ends the turn, or with undefined when too many wait. Rejects with the signal's reason
   * when it aborts before.
   */
  async enter(source: string, signal: AbortSignal): Promise<(() => void) | undefined> {
    if (signal.aborted) throw abortReason(signal);
    if (this.running < this.options.places) {
      this.running++;
    } else {
      const admitted = await this.wait(source, signal);
      if (!admitted) return undefined;
    }
    return () => {
      this.running--;
      this.admitNext();
    };
  }

  private async wait(source: string, signal: AbortSignal): Promise<boolean> {
    if (this.waitingCount >= this.options.maxWaiting && !this.makeRoom(source)) return false;
    return new Promise<boolean>((resolve, reject) => {
      const admit: Admit = (admitted) => {
        unsubscribe();
        resolve(admitted);
      };
      const unsubscribe = onAbort(signal, () => {
        this.remove(source, admit);
        reject(abortReason(signal));
      });
      this.waiting.set(source, [...(this.waiting.get(source) ?? []), admit]);
      this.waitingCount++;
    });
  }

  /** False when no other source has more callers than this one would have. */
  private makeRoom(source: string): boolean {
    const [largest, callers] = [...this.waiting].reduce((one, other) =>
      other[1].length > one[1].length ? other : one,
    );
    const newest = callers.at(-1);
    if (newest === undefined || callers.length <= (this.waiting.get(source)?.length ?? 0) + 1) return false;
    this.remove(largest, newest);
    newest(false);
    return true;
  }

  private admitNext(): void {
    if (this.running >= this.options.places) return;
    const { preferred } = this.options;
    const [inTurn = preferred] = this.waiting.keys();
    const source = this.waiting.has(preferred) ? preferred : inTurn;
    const [admit, ...others] = this.waiting.get(source) ?? [];
    if (admit === undefined) return;
    this.waiting.delete(source);
    if (others.length > 0) this.waiting.set(source, others);
    this.waitingCount--;
    this.running++;
    admit(true);
  }

  private remove(source: string, admit: Admit): void {
    const others = (this.waiting.get(source) ?? []).filter((one) => one !== admit);
    this.waitingCount--;
    if (others.length > 0) this.waiting.set(source, others);
    else this.waiting.delete(source);
  }
}
