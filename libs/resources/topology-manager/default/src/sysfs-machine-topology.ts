import { createToken, decodeOptions, defineConfig, stringField } from '@podwright/assembly-interface';
import { readMachineTopology, type MachineTopology } from '@podwright/machine';
import type { MachineTopologySource } from '@podwright/topology-manager-interface';
import { inject, injectable } from 'tsyringe';

export interface SysfsMachineTopologyConfig {
  /** `/sys` and `/proc` are read below it. */
  readonly hostRoot: string;
}

export const SYSFS_MACHINE_TOPOLOGY_CONFIG = createToken<SysfsMachineTopologyConfig>(
  'kubelet.machine-topology.config/v1',
);

export const sysfsMachineTopologyConfigSchema = defineConfig<SysfsMachineTopologyConfig>(
  SYSFS_MACHINE_TOPOLOGY_CONFIG,
  { hostRoot: stringField('/') },
);

/** {@link MachineTopologySource} of the kernel's files; a node whose policies are all `none` never asks. */
@injectable()
export class SysfsMachineTopology implements MachineTopologySource {
  private topology: Promise<MachineTopology> | undefined;

  constructor(@inject(SYSFS_MACHINE_TOPOLOGY_CONFIG) private readonly config: SysfsMachineTopologyConfig) {}

  read(): Promise<MachineTopology> {
    this.topology ??= readMachineTopology(this.config);
    return this.topology;
  }
}

/** Makes one without a container. */
export function createSysfsMachineTopology(options: Partial<SysfsMachineTopologyConfig> = {}): SysfsMachineTopology {
  return new SysfsMachineTopology(decodeOptions('machine-topology', sysfsMachineTopologyConfigSchema, options));
}
