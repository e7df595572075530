import { createToken, defineConfig, stringField } from '@podwright/assembly-interface';

export interface ApiPodsConfig {
  readonly nodeName: string;
}

export const API_PODS_CONFIG = createToken<ApiPodsConfig>('kubelet.api-pods.config/v1');

export const apiPodsConfigSchema = defineConfig<ApiPodsConfig>(
  API_PODS_CONFIG,
  { nodeName: stringField() },
  ({ nodeName }) => (nodeName === '' ? [{ field: 'nodeName', value: nodeName, problem: 'must not be empty' }] : []),
);
