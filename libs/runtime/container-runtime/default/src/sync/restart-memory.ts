import type { Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import type { PodMemory, PodMemoryPart } from '@podwright/pod-memory-interface';
import type { BackOff, BackOffState } from '@podwright/time';

/** Keys of the back-off with their state. */
type Entries = readonly (readonly [string, BackOffState])[];

const part: PodMemoryPart<Entries> = {
  name: 'container-runtime.restarts',
  decode: (json) => (Array.isArray(json) ? json.filter(isEntry) : undefined),
};

/** Crash-loop back-offs over a kill -9 of the kubelet, which upstream forgets with every restart. */
export class RestartMemory {
  constructor(private readonly memory: Pick<PodMemory, 'recall' | 'keep'>) {}

  of(pod: Pod): Entries {
    return this.memory.recall(podUid(pod), part) ?? [];
  }

  /** Resolves when a kill -9 can no longer take the new state of `key` away. Keys that the back-off has forgotten go. */
  note(pod: Pod, backOff: Pick<BackOff, 'state'>, key: string): Promise<void> {
    const keys = new Set([...this.of(pod).map(([known]) => known), key]);
    const entries = [...keys].flatMap((known) => {
      const state = backOff.state(known);
      return state === undefined ? [] : [[known, state] as const];
    });
    return this.memory.keep(podUid(pod), part, entries);
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
