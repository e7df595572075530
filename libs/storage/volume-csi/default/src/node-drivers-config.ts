import { defineConfig, stringField } from '@podwright/assembly-interface';

export interface NodeDriversConfig {
  readonly nodeName: string;
}

export const nodeDriversConfigSchema = defineConfig<NodeDriversConfig>({ nodeName: stringField() });
