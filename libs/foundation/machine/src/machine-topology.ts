/** A cache that not all CPUs of a NUMA node share, though more than one core does. */
export interface UncoreCache {
  readonly id: number;
  readonly sizeBytes: number;
  readonly type: string;
  readonly level: number;
}

/** Hardware threads with one core id in one package of one NUMA node. */
export interface MachineCore {
  readonly coreId: number;
  readonly socketId: number;
  /** CPU numbers in the order in which the kernel's directories sort as text. */
  readonly threads: readonly number[];
  readonly uncoreCaches: readonly UncoreCache[];
}

export interface NumaNode {
  readonly id: number;
  readonly memoryBytes: number;
  /** Per page size as the kernel lists them; empty when the node has none. */
  readonly hugePages: readonly { readonly sizeBytes: number; readonly pages: number }[];
  /** To each node in order of its number; undefined when the kernel does not tell. */
  readonly distances?: readonly number[];
  /** Empty for a node that has memory alone. */
  readonly cores: readonly MachineCore[];
}

/**
 * Where CPUs and memory lie. Source: kubernetes v1.36 vendor/github.com/google/cadvisor/machine/info.go MachineInfo, which
 * the managers of exclusive resources work on.
 */
export interface MachineTopology {
  /** As the kernel's directories sort as text: node0, node1, node10, node2. */
  readonly nodes: readonly NumaNode[];
  /** Threads of all nodes that are online. */
  readonly cpuCount: number;
  readonly socketCount: number;
}
