import { createToken } from '@podwright/assembly-interface';
import type { MachineTopology } from '@podwright/machine';

/** The machine's CPUs and memory by NUMA node. */
export interface MachineTopologySource {
  /**
   * Reads the machine at the first call; later calls give the same result. Rejects when the kernel does not report it.
   */
  read(): Promise<MachineTopology>;
}

export const MACHINE_TOPOLOGY = createToken<MachineTopologySource>('kubelet.machine-topology/v1');
