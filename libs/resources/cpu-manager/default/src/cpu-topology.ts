import { KubeletError } from '@podwright/errors';
import { cpuSetOf, type CpuSet, type MachineCore, type MachineTopology } from '@podwright/machine';

export interface CpuPlace {
  readonly cpu: number;
  /** The lowest CPU number of the core: the kernel repeats its core ids in each socket. */
  readonly core: number;
  readonly socket: number;
  readonly numaNode: number;
  /** Id of the last-level cache that the core shares with part of its NUMA node; the socket's id when there is none. */
  readonly uncoreCache: number;
}

/** The units that contain a CPU. */
export type CpuLevel = 'core' | 'socket' | 'numaNode' | 'uncoreCache';

/**
 * The CPUs of the machine and where each one lies. Source: kubernetes v1.36
 * pkg/kubelet/cm/cpumanager/topology/topology.go CPUTopology.
 */
export interface CpuTopology {
  readonly places: ReadonlyMap<number, CpuPlace>;
  readonly cpus: CpuSet;
  /** NUMA nodes that have CPUs, ascending. */
  readonly numaNodes: readonly number[];
  readonly socketCount: number;
  readonly numaNodeCount: number;
  /** Averages, rounded down; 0 when the divisor is 0. */
  readonly cpusPerCore: number;
  readonly cpusPerSocket: number;
  readonly cpusPerUncoreCache: number;
}

/** Counts as the machine reports them; they may differ from the number of places. */
export interface CpuCounts {
  readonly cpus: number;
  readonly cores: number;
  readonly sockets: number;
  readonly numaNodes: number;
}

/** Builds the topology. Throws `failed-precondition` with upstream's text for a machine without CPUs. */
export function cpuTopologyOf({ nodes, cpuCount, socketCount }: MachineTopology): CpuTopology {
  if (cpuCount === 0) throw undetected('could not detect number of cpus');
  const cores = nodes.flatMap((node) => node.cores.map((core) => ({ core, numaNode: node.id })));
  const places = cores.flatMap(({ core, numaNode }) => {
    const { threads, socketId: socket } = core;
    const first = lowestThread(core);
    const uncoreCache = core.uncoreCaches[0]?.id ?? socket;
    return threads.map((cpu) => ({ cpu, core: first, socket, numaNode, uncoreCache }));
  });
  const numaNodes = new Set(places.map(({ numaNode }) => numaNode)).size;
  return buildCpuTopology(places, { cpus: cpuCount, cores: cores.length, sockets: socketCount, numaNodes });
}

export function buildCpuTopology(places: readonly CpuPlace[], counts: CpuCounts): CpuTopology {
  const uncoreCaches = new Set(places.map(({ uncoreCache }) => uncoreCache)).size;
  return {
    places: new Map(places.map((place) => [place.cpu, place])),
    cpus: cpuSetOf(places.map(({ cpu }) => cpu)),
    numaNodes: cpuSetOf(places.map(({ numaNode }) => numaNode)),
    socketCount: counts.sockets,
    numaNodeCount: counts.numaNodes,
    cpusPerCore: share(counts.cpus, counts.cores),
    cpusPerSocket: share(counts.cpus, counts.sockets),
    cpusPerUncoreCache: share(counts.cpus, uncoreCaches),
  };
}

/** CPUs of the machine that lie in one of the given elements. */
export function cpusIn({ places }: CpuTopology, level: CpuLevel, ids: readonly number[]): CpuSet {
  const wanted = new Set(ids);
  return cpuSetOf([...places.values()].filter((place) => wanted.has(place[level])).map(({ cpu }) => cpu));
}

/** Elements that contain at least one of the CPUs, ascending. Unknown CPUs are ignored. */
export function elementsOf({ places }: CpuTopology, level: CpuLevel, cpus: CpuSet): readonly number[] {
  return cpuSetOf(
    cpus.flatMap((cpu) => {
      const place = places.get(cpu);
      return place === undefined ? [] : [place[level]];
    }),
  );
}

function lowestThread({ threads }: MachineCore): number {
  if (threads.length === 0) throw undetected('no cpus provided');
  if (new Set(threads).size !== threads.length) throw undetected('cpus provided are not unique');
  return Math.min(...threads);
}

function share(count: number, parts: number): number {
  return parts === 0 ? 0 : Math.floor(count / parts);
}

function undetected(message: string): KubeletError {
  return new KubeletError(message, { code: 'failed-precondition' });
}
