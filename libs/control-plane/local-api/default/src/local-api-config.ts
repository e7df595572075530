import { booleanField, defineConfig, stringField, type ConfigFields } from '@podwright/assembly-interface';
import { defaultPodRules, type PodRules } from '@podwright/pod-manifest';

/** The switches are those of the pod rules, as for the pods of manifests. */
export interface LocalApiConfig extends PodRules {
  readonly nodeName: string;
}

const rules = Object.fromEntries(
  Object.entries(defaultPodRules).map(([rule, value]: readonly [string, boolean]) => [rule, booleanField(value)]),
) as unknown as ConfigFields<PodRules>;

export const localApiConfig = defineConfig<LocalApiConfig>({ ...rules, nodeName: stringField() }, ({ nodeName }) =>
  nodeName === '' ? [{ field: 'nodeName', value: nodeName, problem: 'must not be empty' }] : [],
);
