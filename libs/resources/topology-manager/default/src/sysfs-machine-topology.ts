import { defineConfig, stringField } from '@podwright/assembly-interface';
import { readMachineTopology, type MachineTopology } from '@podwright/machine';
import type { MachineTopologySource } from '@podwright/topology-manager-interface';

export interface SysfsMachineTopologyConfig {
  /** Root directory below which `/sys` and `/proc` are read. */
  readonly hostRoot: string;
}

export const sysfsMachineTopologyConfigSchema = defineConfig<SysfsMachineTopologyConfig>({
  hostRoot: stringField('/'),
});

/**
 * {@link MachineTopologySource} that reads the kernel's files. A node whose policies are all `none` never reads them.
 */
export class SysfsMachineTopology implements MachineTopologySource {
  private topology: Promise<MachineTopology> | undefined;

  constructor(private readonly config: SysfsMachineTopologyConfig) {}

  read(): Promise<MachineTopology> {
    this.topology ??= readMachineTopology(this.config);
    return this.topology;
  }
}
