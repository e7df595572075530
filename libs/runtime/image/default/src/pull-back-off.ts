import type { PodMemory } from '@podwright/pod-memory-interface';
import { BackOff, type BackOffState, type Clock } from '@podwright/time';
import { pullBackOffPart, type RememberedPull } from './pull-back-off-part.js';

export interface PullBackOffOptions {
  readonly clock: Clock;
  readonly memory: Pick<PodMemory, 'recall' | 'keep'>;
  readonly initialMs: number;
  readonly maxMs: number;
}

/** Back-off of pulls per pod and image, with the text of the last failure; a restart of the kubelet does not shorten it. */
export class PullBackOff {
  private readonly memory: Pick<PodMemory, 'recall' | 'keep'>;
  private readonly backOff: BackOff;
  // `<reason>: <message>` of the last failed pull, by key.
  private readonly failures = new Map<string, string>();

  constructor({ clock, memory, initialMs, maxMs }: PullBackOffOptions) {
    this.memory = memory;
    this.backOff = new BackOff({ clock, initialMs, maxMs });
  }

  /** True while the pod has to wait for its next try. */
  isWaiting(podUid: string, image: string): boolean {
    const key = keyOf(podUid, image);
    // Only a pull that is new to this process asks; what has run out is not taken up again.
    if (this.backOff.updatedAt(key) === undefined) this.restore(podUid, image);
    return this.backOff.isInBackOffSinceUpdate(key);
  }

  lastFailure(podUid: string, image: string): string | undefined {
    return this.failures.get(keyOf(podUid, image));
  }

  /** A new try begins; its outcome is not known. */
  begin(podUid: string, image: string): void {
    this.failures.delete(keyOf(podUid, image));
  }

  /** Lengthens the wait. Resolves when a next process knows of it. */
  async fail(podUid: string, image: string, failure: string): Promise<void> {
    const key = keyOf(podUid, image);
    this.backOff.next(key);
    this.failures.set(key, failure);
    if (this.failures.size > 2 * this.backOff.size) this.collect();
    const state = this.backOff.state(key);
    if (state !== undefined) await this.keep(podUid, image, { ...state, failure });
  }

  /** Forgets failures that would start anew. */
  collect(): void {
    this.backOff.gc();
    for (const key of this.failures.keys()) if (this.backOff.state(key) === undefined) this.failures.delete(key);
  }

  private restore(podUid: string, image: string): void {
    const remembered = this.memory.recall(podUid, pullBackOffPart)?.[image];
    if (remembered === undefined) return;
    const key = keyOf(podUid, image);
    this.backOff.restore(key, remembered);
    if (this.backOff.state(key) !== undefined) this.failures.set(key, remembered.failure);
  }

  // Other images of the pod stay remembered while their own back-off counts.
  private async keep(podUid: string, image: string, pull: RememberedPull): Promise<void> {
    const others = Object.entries(this.memory.recall(podUid, pullBackOffPart) ?? {});
    const counting = others.filter(([name]) => this.stateOf(podUid, name) !== undefined);
    await this.memory.keep(podUid, pullBackOffPart, Object.fromEntries([...counting, [image, pull]]));
  }

  private stateOf(podUid: string, image: string): BackOffState | undefined {
    const key = keyOf(podUid, image);
    if (this.backOff.updatedAt(key) === undefined) this.restore(podUid, image);
    return this.backOff.state(key);
  }
}

const keyOf = (podUid: string, image: string): string => `${podUid}_${image}`;
