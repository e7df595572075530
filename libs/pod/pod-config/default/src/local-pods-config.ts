import { booleanField, defineConfig, stringField } from '@podwright/assembly-interface';
import type { PodRules } from '@podwright/pod-manifest';

/** The rule is the one that defaults depend on. */
export interface LocalPodsConfig extends Pick<PodRules, 'podLevelResources'> {
  readonly nodeName: string;
}

export const localPodsConfigSchema = defineConfig<LocalPodsConfig>(
  { nodeName: stringField(), podLevelResources: booleanField(true) },
  ({ nodeName }) => (nodeName === '' ? [{ field: 'nodeName', value: nodeName, problem: 'must not be empty' }] : []),
);
