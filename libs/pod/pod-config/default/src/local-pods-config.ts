import { defineConfig, stringField } from '@podwright/assembly-interface';

export interface LocalPodsConfig {
  readonly nodeName: string;
}

export const localPodsConfigSchema = defineConfig<LocalPodsConfig>({ nodeName: stringField() }, ({ nodeName }) =>
  nodeName === '' ? [{ field: 'nodeName', value: nodeName, problem: 'must not be empty' }] : [],
);
