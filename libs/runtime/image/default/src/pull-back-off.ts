import type { PodCheckpoints } from '@podwright/pod-checkpoint-interface';
import { BackOff, type BackOffState, type Clock } from '@podwright/time';
import { pullBackOffPart, type CheckpointedPull } from './pull-back-off-part.js';

export interface PullBackOffOptions {
  readonly clock: Clock;
  readonly checkpoints: Pick<PodCheckpoints, 'read' | 'write'>;
  readonly initialMs: number;
  readonly maxMs: number;
}

/** Back-off of pulls per pod and image, with the text of the last failure; a restart of the kubelet does not shorten it. */
export class PullBackOff {
  private readonly checkpoints: Pick<PodCheckpoints, 'read' | 'write'>;
  private readonly backOff: BackOff;
  // `<reason>: <message>` of the last failed pull, by key.
  private readonly failures = new Map<string, string>();

  constructor({ clock, checkpoints, initialMs, maxMs }: PullBackOffOptions) {
    this.checkpoints = checkpoints;
    this.backOff = new BackOff({ clock, initialMs, maxMs });
  }

  /** True while the pod must wait before its next attempt. */
  isWaiting(podUid: string, image: string): boolean {
    const key = keyOf(podUid, image);
    // Reads the checkpoint only for a pull that is new to this process; an expired back-off is not restored.
    if (this.backOff.updatedAt(key) === undefined) this.restore(podUid, image);
    return this.backOff.isInBackOffSinceUpdate(key);
  }

  lastFailure(podUid: string, image: string): string | undefined {
    return this.failures.get(keyOf(podUid, image));
  }

  /** Notes that a new attempt begins; its result is not known yet. */
  begin(podUid: string, image: string): void {
    this.failures.delete(keyOf(podUid, image));
  }

  /** Unix milliseconds at which the back-off ends; undefined without one. */
  untilMs(podUid: string, image: string): number | undefined {
    const state = this.backOff.state(keyOf(podUid, image));
    return state && state.updatedAtMs + state.delayMs;
  }

  /** Extends the back-off. Resolves when the checkpoint is written, so that a restart keeps it. */
  async fail(podUid: string, image: string, failure: string): Promise<void> {
    const key = keyOf(podUid, image);
    this.backOff.next(key);
    this.failures.set(key, failure);
    if (this.failures.size > 2 * this.backOff.size) this.collect();
    const state = this.backOff.state(key);
    if (state !== undefined) await this.keep(podUid, image, { ...state, failure });
  }

  /** Forgets failures whose back-off would start anew. */
  collect(): void {
    this.backOff.gc();
    for (const key of this.failures.keys()) if (this.backOff.state(key) === undefined) this.failures.delete(key);
  }

  private restore(podUid: string, image: string): void {
    const checkpointed = this.checkpoints.read(podUid, pullBackOffPart)?.[image];
    if (checkpointed === undefined) return;
    const key = keyOf(podUid, image);
    this.backOff.restore(key, checkpointed);
    if (this.backOff.state(key) !== undefined) this.failures.set(key, checkpointed.failure);
  }

  // Keeps other images of the pod in the checkpoint while their back-off lasts.
  private async keep(podUid: string, image: string, pull: CheckpointedPull): Promise<void> {
    const others = Object.entries(this.checkpoints.read(podUid, pullBackOffPart) ?? {});
    const counting = others.filter(([name]) => this.stateOf(podUid, name) !== undefined);
    await this.checkpoints.write(podUid, pullBackOffPart, Object.fromEntries([...counting, [image, pull]]));
  }

  private stateOf(podUid: string, image: string): BackOffState | undefined {
    const key = keyOf(podUid, image);
    if (this.backOff.updatedAt(key) === undefined) this.restore(podUid, image);
    return this.backOff.state(key);
  }
}

const keyOf = (podUid: string, image: string): string => `${podUid}_${image}`;
