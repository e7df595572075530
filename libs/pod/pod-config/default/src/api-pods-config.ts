import { defineConfig, stringField } from '@podwright/assembly-interface';

export interface ApiPodsConfig {
  readonly nodeName: string;
}

export const apiPodsConfigSchema = defineConfig<ApiPodsConfig>({ nodeName: stringField() }, ({ nodeName }) =>
  nodeName === '' ? [{ field: 'nodeName', value: nodeName, problem: 'must not be empty' }] : [],
);
