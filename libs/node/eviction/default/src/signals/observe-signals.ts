import { quantityFromUnits, type Quantity, type QuantityFormat } from '@podwright/kube-types';
import type { FsStats, MemoryStats, Summary } from '@podwright/stats-interface';
import type { Signal } from './signal.js';

/** The observed value of one signal. */
export interface Observation {
  readonly available: Quantity;
  readonly capacity: Quantity;
  /** RFC 3339; absent when the statistics have no time. */
  readonly time: string | undefined;
}

export type Observations = Readonly<Partial<Record<Signal, Observation>>>;

/**
 * All signals that the summary reports; omits signals with incomplete numbers. Source: helpers.go
 * makeSignalObservations.
 */
export function observeSignals({ node }: Summary): Observations {
  const pods = node.systemContainers?.find(({ name }) => name === 'pods');
  const { imageFs, containerFs } = node.runtime ?? {};
  const all: Readonly<Record<Signal, Observation | undefined>> = {
    'memory.available': memory(node.memory),
    'allocatableMemory.available': memory(pods?.memory),
    'nodefs.available': bytes(node.fs),
    'nodefs.inodesFree': inodes(node.fs),
    'imagefs.available': bytes(imageFs),
    'imagefs.inodesFree': inodes(imageFs),
    'containerfs.available': bytes(containerFs),
    'containerfs.inodesFree': inodes(containerFs),
    'pid.available': processes(node.rlimit),
  };
  return Object.fromEntries(Object.entries(all).filter(([, observation]) => observation !== undefined)) as Observations;
}

function memory(stats: MemoryStats | undefined): Observation | undefined {
  const { availableBytes, workingSetBytes, time } = stats ?? {};
  if (availableBytes === undefined || workingSetBytes === undefined) return undefined;
  return observation(availableBytes, availableBytes + workingSetBytes, time, 'BinarySI');
}

function bytes(stats: FsStats | undefined): Observation | undefined {
  return observation(stats?.availableBytes, stats?.capacityBytes, stats?.time, 'BinarySI');
}

function inodes(stats: FsStats | undefined): Observation | undefined {
  return observation(stats?.inodesFree, stats?.inodes, stats?.time, 'DecimalSI');
}

function processes(rlimit: Summary['node']['rlimit']): Observation | undefined {
  const { maxpid, curproc, time } = rlimit ?? {};
  if (maxpid === undefined || curproc === undefined) return undefined;
  return observation(maxpid - curproc, maxpid, time, 'DecimalSI');
}

function observation(
  available: number | undefined,
  capacity: number | undefined,
  time: string | undefined,
  format: QuantityFormat,
): Observation | undefined {
  if (available === undefined || capacity === undefined) return undefined;
  return { available: quantityFromUnits(available, format), capacity: quantityFromUnits(capacity, format), time };
}
