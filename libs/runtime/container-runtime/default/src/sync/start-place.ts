import { Gate } from '@podwright/concurrency';
import type { Pod } from '@podwright/kube-types';
import { isCriticalPod } from '@podwright/kube-types';
import type { Clock, Timer } from '@podwright/time';

export interface StartGateOptions {
  /** Most pods that are being started at one time. */
  readonly maxConcurrentStarts: number;
  /** A call that hangs longer than this in a place loses it, so that other pods go on. Milliseconds. */
  readonly startPlaceTimeoutMs: number;
}

/** Bounds how many pods are started at once. Critical pods first, then those begun, then in order of arrival. */
export class StartGate {
  private readonly gate: Gate;

  constructor(
    private readonly clock: Clock,
    private readonly options: StartGateOptions,
  ) {
    this.gate = new Gate({ places: options.maxConcurrentStarts });
  }

  /** A place for one sync of one pod, not taken yet. `begun`: its sandbox exists already. */
  placeFor(pod: Pod, begun: boolean): StartPlace {
    return new StartPlace(this.gate, this.clock, this.options.startPlaceTimeoutMs, isCriticalPod(pod), begun);
  }
}

/** Taken for the expensive parts of a start, given back while the pod only waits. Both may be called twice. */
export class StartPlace {
  private leave: (() => void) | undefined;
  private timeout: Timer | undefined;

  constructor(
    private readonly gate: Gate,
    private readonly clock: Clock,
    private readonly timeoutMs: number,
    private readonly critical: boolean,
    private begun: boolean,
  ) {}

  /** Resolves with a place in hand. */
  async take(): Promise<void> {
    if (this.leave !== undefined) return;
    // A pod that has begun is nearer to its end than a new one: finishing it first keeps the median low.
    this.leave = await this.gate.enter({ priority: (this.critical ? 2 : 0) + (this.begun ? 1 : 0) });
    this.begun = true;
    this.timeout = this.clock.setTimer(this.timeoutMs, () => this.giveBack());
  }

  giveBack(): void {
    this.timeout?.cancel();
    this.leave?.();
    this.leave = undefined;
  }

  /** Awaits something quick, but gives the place back when it takes longer than `patienceMs`. */
  async during<T>(promise: Promise<T>, patienceMs: number): Promise<T> {
    const patience = this.clock.setTimer(patienceMs, () => this.giveBack());
    try {
      return await promise;
    } finally {
      patience.cancel();
    }
  }
}
