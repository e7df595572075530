import { booleanField, defineConfig, stringField } from '@podwright/assembly-interface';
import type { PodRules } from '@podwright/pod-manifest';

/** The switches are those of the pod rules, as for the pods of manifests. */
export interface LocalApiConfig extends PodRules {
  readonly nodeName: string;
}

export const localApiConfig = defineConfig<LocalApiConfig>(
  {
    nodeName: stringField(),
    containerRestartRules: booleanField(true),
    restartAllContainers: booleanField(true),
    envFiles: booleanField(true),
    strictIps: booleanField(true),
    userNamespacesHostNetwork: booleanField(false),
  },
  ({ nodeName }) => (nodeName === '' ? [{ field: 'nodeName', value: nodeName, problem: 'must not be empty' }] : []),
);
