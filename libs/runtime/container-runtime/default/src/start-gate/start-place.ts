import type { Pod } from '@podwright/kube-types';
import type { Clock, Timer } from '@podwright/time';

/** What a {@link StartPlace} asks its gate for. */
export interface PlaceGiver {
  /** Resolves with a function that frees the slot, or with undefined when the signal aborts before. */
  enter(pod: Pod, begun: boolean, signal?: AbortSignal): Promise<((late: boolean) => void) | undefined>;
  /** How long a pod may hold its slot before others get it. Milliseconds. */
  patienceMs(): number;
  /** What a pod lost its slot over has come to an end: it took long, and did not hang. */
  returned(pod: Pod): void;
}

/**
 * A start slot, held during the expensive parts of a start and given back while the pod only waits. Both calls are
 * idempotent.
 */
export class StartPlace {
  private leave: ((late: boolean) => void) | undefined;
  private timeout: Timer | undefined;
  private late = false;

  constructor(
    private readonly gate: PlaceGiver,
    private readonly clock: Clock,
    private readonly pod: Pod,
    private begun: boolean,
  ) {}

  /** Resolves when the slot is taken, or without it when the signal aborts. */
  async take(signal?: AbortSignal): Promise<void> {
    if (this.leave !== undefined) return;
    if (this.late) this.gate.returned(this.pod);
    this.late = false;
    this.leave = await this.gate.enter(this.pod, this.begun, signal);
    if (this.leave === undefined) return;
    this.begun = true;
    this.timeout = this.clock.setTimer(this.gate.patienceMs(), () => this.free(true));
  }

  giveBack(): void {
    this.free(false);
  }

  /** Awaits a usually quick promise; gives the slot back when it takes longer than `patienceMs`. */
  async during<T>(promise: Promise<T>, patienceMs: number): Promise<T> {
    const patience = this.clock.setTimer(patienceMs, () => this.giveBack());
    try {
      return await promise;
    } finally {
      patience.cancel();
    }
  }

  private free(late: boolean): void {
    this.timeout?.cancel();
    if (this.leave !== undefined) this.late = late;
    this.leave?.(late);
    this.leave = undefined;
  }
}
