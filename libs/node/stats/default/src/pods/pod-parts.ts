import type { PodSandbox } from '@podwright/cri-client-interface';
import type { ContainerStats, PodStats } from '@podwright/stats-interface';
import { wireTimeOfNs } from '../readings/wire-time.js';

/** The parts of a pod's statistics, still to be assembled. */
export interface PodParts {
  readonly sandbox: PodSandbox;
  readonly containers: ContainerStats[];
  /** Undefined until a container reports it. */
  processes: number | undefined;
}

export type PodReadings = {
  readonly [part in 'cpu' | 'memory' | 'io' | 'network' | 'volume' | 'ephemeral-storage' | 'swap']?:
    | PodStats[part]
    | undefined;
};

/** Assembles the statistics in upstream's order of fields, without unknown ones. */
export function podStats(
  { sandbox, containers, processes }: PodParts,
  readings: PodReadings,
  startTime = wireTimeOfNs(sandbox.createdAt),
): PodStats {
  const { name = '', namespace = '', uid = '' } = sandbox.metadata ?? {};
  const { cpu, memory, io, network, volume, swap } = readings;
  const storage = readings['ephemeral-storage'];
  return {
    podRef: { name, namespace, uid },
    startTime,
    containers,
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { memory }),
    ...(io !== undefined && { io }),
    ...(network !== undefined && { network }),
    ...(volume !== undefined && { volume }),
    ...(storage !== undefined && { 'ephemeral-storage': storage }),
    ...(processes !== undefined && { process_stats: { process_count: processes } }),
    ...(swap !== undefined && { swap }),
  };
}

/** Merges container statistics in upstream's order of fields; the parts of others override its own. */
export function containerStats(
  base: ContainerStats,
  over: { readonly [part in keyof ContainerStats]?: ContainerStats[part] | undefined },
): ContainerStats {
  const { name, startTime } = base;
  const cpu = over.cpu ?? base.cpu;
  const memory = over.memory ?? base.memory;
  const io = over.io ?? base.io;
  const rootfs = over.rootfs ?? base.rootfs;
  const logs = over.logs ?? base.logs;
  const swap = over.swap ?? base.swap;
  return {
    name,
    startTime: over.startTime ?? startTime,
    ...(cpu !== undefined && { cpu }),
    ...(memory !== undefined && { memory }),
    ...(io !== undefined && { io }),
    ...(rootfs !== undefined && { rootfs }),
    ...(logs !== undefined && { logs }),
    ...(swap !== undefined && { swap }),
  };
}
