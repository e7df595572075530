import { booleanField, defineConfig, stringField } from '@podwright/assembly-interface';
import type { RestartRuleGates } from './honoured-restart-rules.js';

export interface ApiPodsConfig extends RestartRuleGates {
  readonly nodeName: string;
}

export const apiPodsConfigSchema = defineConfig<ApiPodsConfig>(
  {
    nodeName: stringField(),
    containerRestartRules: booleanField(true),
    restartAllContainers: booleanField(true),
    nodeDeclaredFeatures: booleanField(true),
  },
  ({ nodeName }) => (nodeName === '' ? [{ field: 'nodeName', value: nodeName, problem: 'must not be empty' }] : []),
);
