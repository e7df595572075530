import { isCriticalPod, type Pod, type Volume } from '@podwright/kube-types';
import { onAbort, type Clock } from '@podwright/time';

/** What a {@link PreparationQueue} asks the gate for. */
export interface StartQueue {
  /** How many pods may start at the same time. */
  readonly places: number;
  /** How many prepared pods wait for a place. */
  readonly waiting: number;
  /** Calls the one listener whenever one of the numbers may be another. */
  watch(listener: () => void): void;
}

// A preparation that takes longer waits for something, such as the API server, and not for the processor.
const longestMs = 200;

/**
 * Lets as many new pods prepare as there are places at the gate, and none while as many wait there. Otherwise a hundred
 * pods that come at once would all prepare before the first one starts. A pod never waits whose preparation may take
 * long: such a one should begin early.
 */
export class PreparationQueue {
  private readonly waiting = new Set<() => void>();
  private readonly preparing = new Set<symbol>();

  constructor(
    private readonly clock: Clock,
    private readonly gate: StartQueue,
  ) {
    gate.watch(() => this.admit());
  }

  /** As `awaitTurn` of the container runtime. */
  awaitTurn(pod: Pod, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted || isCriticalPod(pod) || mayTakeLong(pod)) return Promise.resolve(() => undefined);
    if (this.waiting.size === 0 && this.hasRoom()) return Promise.resolve(this.begin());
    return new Promise((resolve) => {
      const begin = (): void => {
        unsubscribe();
        this.waiting.delete(begin);
        resolve(this.begin());
      };
      const unsubscribe = onAbort(signal, () => {
        this.waiting.delete(begin);
        resolve(() => undefined);
      });
      this.waiting.add(begin);
    });
  }

  private hasRoom(): boolean {
    return this.preparing.size + this.gate.waiting < this.gate.places;
  }

  private begin(): () => void {
    const preparation = Symbol('preparation');
    this.preparing.add(preparation);
    const timer = this.clock.setTimer(longestMs, () => end());
    const end = (): void => {
      timer.cancel();
      if (this.preparing.delete(preparation)) this.admit();
    };
    return end;
  }

  private admit(): void {
    for (const begin of this.waiting) {
      if (!this.hasRoom()) return;
      begin();
    }
  }
}

/** Whether the pod has a claim, or a volume of a driver, a network or an image. */
function mayTakeLong({ spec: { volumes = [], resourceClaims = [] } }: Pod): boolean {
  return resourceClaims.length > 0 || volumes.some((volume) => !isLocal(volume));
}

const isLocal = ({ configMap, downwardAPI, emptyDir, hostPath, projected, secret }: Volume): boolean =>
  [configMap, downwardAPI, emptyDir, hostPath, projected, secret].some((source) => source !== undefined);
