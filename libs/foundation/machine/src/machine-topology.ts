/** A cache of level 3 or higher that only some of the CPUs of a NUMA node share. */
export interface UncoreCache {
  readonly id: number;
  readonly sizeBytes: number;
  readonly type: string;
  readonly level: number;
}

/** One physical core: the hardware threads with the same core id in one socket of one NUMA node. */
export interface MachineCore {
  readonly coreId: number;
  readonly socketId: number;
  /** CPU numbers in the text order of the kernel's directories: 0, 1, 10, 2. */
  readonly threads: readonly number[];
  readonly uncoreCaches: readonly UncoreCache[];
}

export interface NumaNode {
  readonly id: number;
  readonly memoryBytes: number;
  /** Huge pages per size, sorted by size; empty when the node has none. */
  readonly hugePages: readonly { readonly sizeBytes: number; readonly pages: number }[];
  /** Distances to all nodes, as the kernel lists them; undefined when it does not. */
  readonly distances?: readonly number[];
  /** Empty for a node that has only memory. */
  readonly cores: readonly MachineCore[];
}

/**
 * The NUMA nodes of the machine with their CPUs and memory, for the CPU, memory and topology managers.
 * Source: kubernetes v1.36 vendor/github.com/google/cadvisor/machine/info.go MachineInfo.
 */
export interface MachineTopology {
  /** In the text order of the kernel's directories: node0, node1, node10, node2. */
  readonly nodes: readonly NumaNode[];
  /** The number of online hardware threads of all nodes. */
  readonly cpuCount: number;
  readonly socketCount: number;
}
