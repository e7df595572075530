import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { PodCache, PodCacheWriter } from '@podwright/pod-cache-interface';
import { abortReason, onAbort } from '@podwright/time';

type Outcome = { readonly status: RuntimePodStatus } | { readonly error: unknown };

interface Entry {
  outcome: Outcome;
  observedAtMs: number;
}

interface Waiter {
  readonly minTimeMs: number;
  readonly answer: (outcome: Outcome) => void;
}

/**
 * {@link PodCache} in memory. A pod is as fresh as its own last observation or as the last `advance`, whichever is
 * newer. A pod in `except` keeps the freshness that the cache had before it was first in `except`.
 */
export class MemoryPodCache implements PodCache, PodCacheWriter {
  private readonly entries = new Map<string, Entry>();
  private readonly waiters = new Map<string, Set<Waiter>>();
  private allObservedAtMs = Number.NEGATIVE_INFINITY;
  private heldAtMs: ReadonlyMap<string, number> = new Map();

  get(podUid: string): RuntimePodStatus {
    return unwrap(this.outcomeOf(podUid));
  }

  getNewerThan(podUid: string, minTimeMs: number, signal: AbortSignal): Promise<RuntimePodStatus> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(abortReason(signal));
      const settle = (outcome: Outcome): void => ('error' in outcome ? reject(outcome.error) : resolve(outcome.status));
      if (this.isNewer(podUid, minTimeMs)) return settle(this.outcomeOf(podUid));
      const unsubscribe = onAbort(signal, () => {
        this.forget(podUid, waiter);
        reject(abortReason(signal));
      });
      const waiter: Waiter = {
        minTimeMs,
        answer: (outcome) => {
          unsubscribe();
          settle(outcome);
        },
      };
      const waiters = this.waiters.get(podUid);
      if (waiters === undefined) this.waiters.set(podUid, new Set([waiter]));
      else waiters.add(waiter);
    });
  }

  set(podUid: string, outcome: Outcome, observedAtMs: number): void {
    const entry = this.entries.get(podUid);
    if (entry === undefined) {
      this.entries.set(podUid, { outcome, observedAtMs });
    } else {
      if (observedAtMs < entry.observedAtMs) return;
      entry.outcome = outcome;
      entry.observedAtMs = observedAtMs;
    }
    this.wake(podUid);
  }

  confirm(podUid: string, observedAtMs: number): void {
    const entry = this.entries.get(podUid);
    if (entry === undefined) return this.wake(podUid, observedAtMs);
    if (observedAtMs <= entry.observedAtMs) return;
    entry.observedAtMs = observedAtMs;
    this.wake(podUid);
  }

  delete(podUid: string): void {
    this.entries.delete(podUid);
  }

  advance(timeMs: number, except?: ReadonlySet<string>): void {
    if (timeMs < this.allObservedAtMs) return;
    const held = new Map<string, number>();
    for (const podUid of except ?? []) held.set(podUid, this.heldAtMs.get(podUid) ?? this.allObservedAtMs);
    this.heldAtMs = held;
    this.allObservedAtMs = timeMs;
    // Only pods with waiters, so an idle node does no work here.
    for (const podUid of [...this.waiters.keys()]) this.wake(podUid);
  }

  private isNewer(podUid: string, minTimeMs: number): boolean {
    const entry = this.entries.get(podUid);
    if (entry !== undefined && entry.observedAtMs > minTimeMs) return true;
    return (this.heldAtMs.get(podUid) ?? this.allObservedAtMs) > minTimeMs;
  }

  private outcomeOf(podUid: string): Outcome {
    return this.entries.get(podUid)?.outcome ?? { status: emptyStatus(podUid) };
  }

  /**
   * Answers waiters that the pod is fresh enough for. `seenAtMs` is an additional time at which the cached state was
   * confirmed.
   */
  private wake(podUid: string, seenAtMs = Number.NEGATIVE_INFINITY): void {
    const waiters = this.waiters.get(podUid);
    if (waiters === undefined) return;
    for (const waiter of [...waiters]) {
      if (seenAtMs <= waiter.minTimeMs && !this.isNewer(podUid, waiter.minTimeMs)) continue;
      this.forget(podUid, waiter);
      waiter.answer(this.outcomeOf(podUid));
    }
  }

  private forget(podUid: string, waiter: Waiter): void {
    const waiters = this.waiters.get(podUid);
    waiters?.delete(waiter);
    if (waiters?.size === 0) this.waiters.delete(podUid);
  }
}

function unwrap(outcome: Outcome): RuntimePodStatus {
  if ('error' in outcome) throw outcome.error;
  return outcome.status;
}

function emptyStatus(uid: string): RuntimePodStatus {
  return { uid, name: '', namespace: '', ips: [], containers: [], sandboxes: [] };
}
