/** The eviction signals. Source: kubernetes v1.36 pkg/kubelet/eviction/api/types.go. */
export type Signal =
  | 'memory.available'
  | 'allocatableMemory.available'
  | 'nodefs.available'
  | 'nodefs.inodesFree'
  | 'imagefs.available'
  | 'imagefs.inodesFree'
  | 'containerfs.available'
  | 'containerfs.inodesFree'
  | 'pid.available';

/** The resource to reclaim; `inodes` and `pids` are upstream's internal names, which messages show. */
export type StarvedResource = 'memory' | 'ephemeral-storage' | 'inodes' | 'pids';

export type PressureCondition = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

interface SignalFacts {
  readonly resource: StarvedResource;
  readonly condition: PressureCondition;
}

const memory: SignalFacts = { resource: 'memory', condition: 'MemoryPressure' };
const disk: SignalFacts = { resource: 'ephemeral-storage', condition: 'DiskPressure' };
const inodes: SignalFacts = { resource: 'inodes', condition: 'DiskPressure' };
const pids: SignalFacts = { resource: 'pids', condition: 'PIDPressure' };

/**
 * All signals in the order of reclaim: memory first, as upstream. Upstream's order of the others is random (a Go map).
 */
export const signals: Readonly<Record<Signal, SignalFacts>> = {
  'memory.available': memory,
  'allocatableMemory.available': memory,
  'nodefs.available': disk,
  'nodefs.inodesFree': inodes,
  'imagefs.available': disk,
  'imagefs.inodesFree': inodes,
  'containerfs.available': disk,
  'containerfs.inodesFree': inodes,
  'pid.available': pids,
};

export const signalNames = Object.keys(signals) as readonly Signal[];

export function isSignal(name: string): name is Signal {
  return Object.hasOwn(signals, name);
}

export function isMemorySignal(signal: Signal): boolean {
  return signals[signal].resource === 'memory';
}
