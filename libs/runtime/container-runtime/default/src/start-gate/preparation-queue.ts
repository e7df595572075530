import { isCriticalPod, type Pod, type Volume } from '@podwright/kube-types';
import { onAbort, type Clock } from '@podwright/time';

/** What a {@link PreparationQueue} asks the gate for. */
export interface StartQueue {
  /** How many pods may start at the same time. */
  readonly places: number;
  /** How many prepared pods wait for a place. */
  readonly waiting: number;
  /** How many of them are critical. */
  readonly waitingCritical: number;
  /** Calls the one listener whenever one of the numbers may be another. */
  watch(listener: () => void): void;
}

// A preparation that takes longer waits for something, such as the API server, and not for the processor.
const longestMs = 200;

interface Preparation {
  readonly critical: boolean;
}

interface Waiter extends Preparation {
  begin(): void;
}

/**
 * Lets as many new pods prepare as there are places at the gate, and none while as many wait there. Otherwise a hundred
 * pods that come at once would all prepare before the first one starts. As at the gate, critical pods, such as static
 * ones, wait for critical pods only. A pod never waits whose preparation may take long: such a one should begin early.
 */
export class PreparationQueue {
  /** In the order in which they came. */
  private readonly waiting = { critical: new Set<Waiter>(), other: new Set<Waiter>() };
  private readonly preparing = new Set<Preparation>();

  constructor(
    private readonly clock: Clock,
    private readonly gate: StartQueue,
  ) {
    gate.watch(() => this.admit());
  }

  /** As `awaitTurn` of the container runtime. */
  awaitTurn(pod: Pod, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted || mayTakeLong(pod)) return Promise.resolve(() => undefined);
    const critical = isCriticalPod(pod);
    const queue = critical ? this.waiting.critical : this.waiting.other;
    if (queue.size === 0 && this.hasRoom(critical)) return Promise.resolve(this.begin(critical));
    return new Promise((resolve) => {
      const begin = (): void => {
        unsubscribe();
        queue.delete(waiter);
        resolve(this.begin(critical));
      };
      const waiter = { critical, begin };
      const unsubscribe = onAbort(signal, () => {
        queue.delete(waiter);
        resolve(() => undefined);
      });
      queue.add(waiter);
    });
  }

  private hasRoom(critical: boolean): boolean {
    const { places, waiting, waitingCritical } = this.gate;
    if (!critical) return this.waiting.critical.size + this.preparing.size + waiting < places;
    const preparing = [...this.preparing].filter((each) => each.critical).length;
    return preparing + waitingCritical < places;
  }

  private begin(critical: boolean): () => void {
    const preparation = { critical };
    this.preparing.add(preparation);
    const timer = this.clock.setTimer(longestMs, () => end());
    const end = (): void => {
      timer.cancel();
      if (this.preparing.delete(preparation)) this.admit();
    };
    return end;
  }

  private admit(): void {
    for (const queue of [this.waiting.critical, this.waiting.other]) {
      for (const waiter of queue) {
        if (!this.hasRoom(waiter.critical)) return;
        waiter.begin();
      }
    }
  }
}

/** Whether the pod has a claim, or a volume of a driver, a network or an image. */
function mayTakeLong({ spec: { volumes = [], resourceClaims = [] } }: Pod): boolean {
  return resourceClaims.length > 0 || volumes.some((volume) => !isLocal(volume));
}

const isLocal = ({ configMap, downwardAPI, emptyDir, hostPath, projected, secret }: Volume): boolean =>
  [configMap, downwardAPI, emptyDir, hostPath, projected, secret].some((source) => source !== undefined);
