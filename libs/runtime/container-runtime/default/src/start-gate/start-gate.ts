import { podUid, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { OrderedQueue, onAbort, type Clock } from '@podwright/time';
import type { ContainerRuntimeConfig } from '../container-runtime-config.js';
import { StartLimit } from './start-limit.js';
import type { StartQueue } from './preparation-queue.js';
import { StartPlace, type PlaceGiver } from './start-place.js';
import { startRank, type StartPast, type StartRank } from './start-rank.js';

/** See the README's table. */
export type StartGateOptions = Pick<
  ContainerRuntimeConfig,
  'initialConcurrentStarts' | 'maxConcurrentStarts' | 'startPlaceTimeoutMs'
>;

interface Waiter extends StartRank {
  readonly enter: () => void;
}

// A start that takes four times as long as the others waits for something; the shortest time is for a busy machine.
const lateFactor = 4;
const shortestPatienceMs = 2_000;
// Part of the newest start in the mean.
const newestShare = 0.125;
// Pods that hang and are then deleted are never removed from the list otherwise.
const mostLatePods = 1_000;

/**
 * Limits how many pods start at the same time. The number is a {@link StartLimit}, the order a {@link StartRank}.
 * Critical pods wait for critical pods only, so that ordinary pods that hang never hold up, for instance, the pod of
 * the CNI plugin that they wait for.
 */
export class StartGate implements PlaceGiver, StartQueue {
  private readonly waiters = new OrderedQueue<Waiter>();
  private readonly limit: StartLimit;
  private readonly latePods = new Set<string>();
  private running = 0;
  private runningCritical = 0;
  private meanMs: number | undefined;
  private onChange: () => void = () => undefined;

  constructor(
    private readonly deps: { readonly clock: Clock; readonly logger: Logger },
    private readonly options: StartGateOptions,
  ) {
    const { initialConcurrentStarts, maxConcurrentStarts: max } = options;
    this.limit = new StartLimit({ initial: Math.min(initialConcurrentStarts, max), max });
  }

  get places(): number {
    return this.limit.places;
  }

  get waiting(): number {
    return this.waiters.size;
  }

  watch(listener: () => void): void {
    this.onChange = listener;
  }

  /** A start slot for one sync of one pod, not taken yet. `begun`: the pod's sandbox exists. */
  placeFor(pod: Pod, begun: boolean): StartPlace {
    return new StartPlace(this, this.deps.clock, pod, begun);
  }

  enter(pod: Pod, begun: boolean, signal?: AbortSignal): Promise<((late: boolean) => void) | undefined> {
    if (signal?.aborted === true) return Promise.resolve(undefined);
    const rank = startRank(pod, this.pastOf(pod, begun));
    this.limit.startWanted(this.deps.clock.monotonic());
    if (this.waiters.size === 0 && this.hasPlaceFor(rank)) return Promise.resolve(this.occupy(pod, rank));
    return new Promise((resolve) => {
      const enter = (): void => {
        unsubscribe();
        resolve(this.occupy(pod, rank));
      };
      const entry = this.waiters.add(-rank.order, { ...rank, enter });
      const unsubscribe = onAbort(signal, () => {
        this.waiters.remove(entry);
        resolve(undefined);
        this.admit();
      });
      this.admit();
    });
  }

  patienceMs(): number {
    const { startPlaceTimeoutMs } = this.options;
    if (this.meanMs === undefined) return startPlaceTimeoutMs;
    return Math.min(startPlaceTimeoutMs, Math.max(shortestPatienceMs, lateFactor * this.meanMs));
  }

  returned(pod: Pod): void {
    this.latePods.delete(podUid(pod));
  }

  private pastOf(pod: Pod, begun: boolean): StartPast {
    if (this.latePods.has(podUid(pod))) return 'late';
    return begun ? 'begun' : 'new';
  }

  private hasPlaceFor({ critical }: StartRank): boolean {
    return (critical ? this.runningCritical : this.running) < this.limit.places;
  }

  private occupy(pod: Pod, { critical }: StartRank): (late: boolean) => void {
    const sinceMs = this.deps.clock.monotonic();
    this.running += 1;
    if (critical) this.runningCritical += 1;
    let inside = true;
    return (late) => {
      if (!inside) return;
      inside = false;
      this.running -= 1;
      if (critical) this.runningCritical -= 1;
      this.note(pod, sinceMs, late);
      this.admit();
    };
  }

  private note(pod: Pod, sinceMs: number, late: boolean): void {
    const uid = podUid(pod);
    if (late) {
      this.latePods.add(uid);
      const [oldest] = this.latePods;
      if (this.latePods.size > mostLatePods && oldest !== undefined) this.latePods.delete(oldest);
      return;
    }
    this.latePods.delete(uid);
    const nowMs = this.deps.clock.monotonic();
    const tookMs = nowMs - sinceMs;
    this.meanMs = this.meanMs === undefined ? tookMs : this.meanMs + newestShare * (tookMs - this.meanMs);
    if (!this.limit.startEnded(nowMs, this.waiters.size > 0)) return;
    const { places } = this.limit;
    this.deps.logger.debug(3, 'Another number of pods may start at once', { places, waiting: this.waiters.size });
  }

  // Critical pods are first in the queue: when the first one has no place, nobody has.
  private admit(): void {
    for (let first = this.waiters.peek(); first !== undefined; first = this.waiters.peek()) {
      if (!this.hasPlaceFor(first.value)) break;
      this.waiters.take();
      first.value.enter();
    }
    this.onChange();
  }
}
