import { Gate } from '@podwright/concurrency';
import type { Pod } from '@podwright/kube-types';
import { isCriticalPod } from '@podwright/kube-types';
import type { Clock, Timer } from '@podwright/time';

export interface StartGateOptions {
  /** Number of pods that may start at the same time. */
  readonly maxConcurrentStarts: number;
  /** A start slot is given up after this time, so that a call that hangs does not block other pods. Milliseconds. */
  readonly startPlaceTimeoutMs: number;
}

/**
 * Limits how many pods start at the same time. Critical pods come first, then pods that have a sandbox, then in order
 * of arrival.
 */
export class StartGate {
  private readonly gate: Gate;

  constructor(
    private readonly clock: Clock,
    private readonly options: StartGateOptions,
  ) {
    this.gate = new Gate({ places: options.maxConcurrentStarts });
  }

  /** A start slot for one sync of one pod, not taken yet. `begun`: the pod's sandbox exists. */
  placeFor(pod: Pod, begun: boolean): StartPlace {
    return new StartPlace(this.gate, this.clock, this.options.startPlaceTimeoutMs, {
      critical: isCriticalPod(pod),
      begun,
    });
  }
}

/**
 * A start slot, held during the expensive parts of a start and given back while the pod only waits. Both calls are
 * idempotent.
 */
export class StartPlace {
  private leave: (() => void) | undefined;
  private timeout: Timer | undefined;

  constructor(
    private readonly gate: Gate,
    private readonly clock: Clock,
    private readonly timeoutMs: number,
    private readonly rank: { readonly critical: boolean; begun: boolean },
  ) {}

  /** Resolves when the slot is taken. */
  async take(): Promise<void> {
    if (this.leave !== undefined) return;
    // Finishing a pod that has begun before starting a new one keeps the median start time low.
    this.leave = await this.gate.enter({ priority: (this.rank.critical ? 2 : 0) + (this.rank.begun ? 1 : 0) });
    this.rank.begun = true;
    this.timeout = this.clock.setTimer(this.timeoutMs, () => this.giveBack());
  }

  giveBack(): void {
    this.timeout?.cancel();
    this.leave?.();
    this.leave = undefined;
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
}
