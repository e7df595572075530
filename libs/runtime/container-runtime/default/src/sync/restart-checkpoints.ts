import type { Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import type { PodCheckpoints, PodCheckpointPart } from '@podwright/pod-checkpoint-interface';
import type { BackOff, BackOffState } from '@podwright/time';

/** Back-off keys with their state. */
type Entries = readonly (readonly [string, BackOffState])[];

const part: PodCheckpointPart<Entries> = {
  name: 'container-runtime.restarts',
  decode: (json) => (Array.isArray(json) ? json.filter(isEntry) : undefined),
};

/** Checkpoints crash-loop back-offs across a kill -9 of the kubelet; upstream forgets them at every restart. */
export class RestartCheckpoints {
  constructor(private readonly checkpoints: Pick<PodCheckpoints, 'read' | 'write'>) {}

  of(pod: Pod): Entries {
    return this.checkpoints.read(podUid(pod), part) ?? [];
  }

  /** Resolves once the state of `key` survives a kill -9. Removes keys that the back-off has forgotten. */
  update(pod: Pod, backOff: Pick<BackOff, 'state'>, key: string): Promise<void> {
    const keys = new Set([...this.of(pod).map(([known]) => known), key]);
    const entries = [...keys].flatMap((known) => {
      const state = backOff.state(known);
      return state === undefined ? [] : [[known, state] as const];
    });
    return this.checkpoints.write(podUid(pod), part, entries);
  }
}

function isEntry(entry: unknown): entry is readonly [string, BackOffState] {
  if (!Array.isArray(entry)) return false;
  const [key, state] = entry as readonly unknown[];
  if (typeof key !== 'string' || typeof state !== 'object' || state === null) return false;
  const { delayMs, updatedAtMs } = state as Partial<BackOffState>;
  return isCount(delayMs) && isCount(updatedAtMs);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
