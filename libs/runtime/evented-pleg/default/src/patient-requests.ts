import type { Clock, Timer } from '@podwright/time';

// As long as they would wait for the relist of a pleg without events.
const longestWaitMs = 1000;

/**
 * Relist requests of those who can wait. Until a second has passed, a relist for another reason has mostly shown their
 * pods, and what is left of a busy second can be one relist.
 */
export class PatientRequests {
  /** By pod UID, how new its status must be, monotonic(). */
  private readonly waiting = new Map<string, number>();
  private timer: Timer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly relist: (podUid: string, newerThanMs: number) => void,
  ) {}

  add(podUid: string, newerThanMs: number): void {
    this.waiting.set(podUid, Math.max(newerThanMs, this.waiting.get(podUid) ?? Number.NEGATIVE_INFINITY));
    this.timer ??= this.clock.setTimer(longestWaitMs, () => this.send());
  }

  clear(): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.waiting.clear();
  }

  private send(): void {
    const due = [...this.waiting];
    this.clear();
    for (const [podUid, newerThanMs] of due) this.relist(podUid, newerThanMs);
  }
}
