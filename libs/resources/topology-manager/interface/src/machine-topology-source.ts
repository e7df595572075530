import { createToken } from '@podwright/assembly-interface';
import type { MachineTopology } from '@podwright/machine';

/** Where CPUs and memory of this machine lie. */
export interface MachineTopologySource {
  /** Reads the machine at the first call, then gives the same. Rejects when the kernel does not tell. */
  read(): Promise<MachineTopology>;
}

export const MACHINE_TOPOLOGY = createToken<MachineTopologySource>('kubelet.machine-topology/v1');
