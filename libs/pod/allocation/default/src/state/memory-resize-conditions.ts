import { CLOCK, needs, pick, type Needs } from '@podwright/assembly-interface';
import type { ResizeConditionChange, ResizeConditions } from '@podwright/allocation-interface';
import { podUid, type Pod, type PodCondition } from '@podwright/kube-types';
import { formatRfc3339 } from '@podwright/time';

const pendingType = 'PodResizePending';
const progressType = 'PodResizeInProgress';

interface Conditions {
  readonly pending?: PodCondition;
  readonly progress?: PodCondition;
}

export const allocationStateNeeds = needs({ clock: pick(CLOCK, 'now') });

/** {@link ResizeConditions} in memory. */
export class MemoryResizeConditions implements ResizeConditions {
  private readonly byPod = new Map<string, Conditions>();

  constructor(private readonly deps: Needs<typeof allocationStateNeeds>) {}

  of(uid: string): readonly PodCondition[] {
    const { pending, progress } = this.byPod.get(uid) ?? {};
    return [pending, progress].filter((condition) => condition !== undefined);
  }

  backfill(pod: Pod): void {
    const uid = podUid(pod);
    if (this.byPod.has(uid)) return;
    const shown = (type: string): PodCondition | undefined =>
      pod.status?.conditions?.find((condition) => condition.type === type && condition.status === 'True');
    this.keep(uid, shown(pendingType), shown(progressType));
  }

  setPending(pod: Pod, reason: 'Deferred' | 'Infeasible', message: string): ResizeConditionChange {
    const uid = podUid(pod);
    const { pending: old, progress } = this.byPod.get(uid) ?? {};
    const generation = pod.metadata.generation ?? 0;
    this.keep(uid, this.condition(pendingType, old, reason, message, generation), progress);
    return { changed: old?.reason !== reason || old.observedGeneration !== generation, generation };
  }

  clearPending(uid: string): boolean {
    const { pending, progress } = this.byPod.get(uid) ?? {};
    this.keep(uid, undefined, progress);
    return pending !== undefined;
  }

  setInProgress(pod: Pod, reason: '' | 'Error', message: string): ResizeConditionChange {
    const uid = podUid(pod);
    const { pending, progress: old } = this.byPod.get(uid) ?? {};
    const generation = old?.observedGeneration ?? pod.metadata.generation ?? 0;
    if (old !== undefined && reason === '') return { changed: false, generation };
    const changed = old === undefined || (old.reason ?? '') !== reason || (old.message ?? '') !== message;
    this.keep(uid, pending, this.condition(progressType, old, reason, message, generation));
    return { changed, generation };
  }

  clearInProgress(uid: string): ResizeConditionChange {
    const { pending, progress } = this.byPod.get(uid) ?? {};
    this.keep(uid, pending, undefined);
    return { changed: progress !== undefined, generation: progress?.observedGeneration ?? 0 };
  }

  forget(uid: string): void {
    this.byPod.delete(uid);
  }

  podUids(): readonly string[] {
    return [...this.byPod.keys()];
  }

  private condition(
    type: string,
    old: PodCondition | undefined,
    reason: string,
    message: string,
    observedGeneration: number,
  ): PodCondition {
    const now = formatRfc3339(this.deps.clock.now());
    const since = old !== undefined && (old.reason ?? '') === reason ? old.lastTransitionTime : undefined;
    const isTold =
      since !== undefined && (old?.message ?? '') === message && (old?.observedGeneration ?? 0) === observedGeneration;
    return {
      type,
      status: 'True',
      // Of the first attempt that said this: another time after each attempt would be a status for each.
      lastProbeTime: (isTold ? old?.lastProbeTime : undefined) ?? now,
      lastTransitionTime: since ?? now,
      ...(reason !== '' && { reason }),
      ...(message !== '' && { message }),
      // As in Go, absent when zero: pods without an API server have no generation.
      ...(observedGeneration > 0 && { observedGeneration }),
    };
  }

  private keep(uid: string, pending: PodCondition | undefined, progress: PodCondition | undefined): void {
    if (pending === undefined && progress === undefined) this.byPod.delete(uid);
    else this.byPod.set(uid, { ...(pending && { pending }), ...(progress && { progress }) });
  }
}
