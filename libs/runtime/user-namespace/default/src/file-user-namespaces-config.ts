import { createToken, defineConfig, integerField, stringField } from '@podwright/assembly-interface';

/** The least that a user namespace has: programs expect every 16 bit id to exist. */
export const idsPerUnit = 65_536;

export interface FileUserNamespacesConfig {
  readonly rootDir: string;
  /** Ids of one pod, a multiple of 65536. */
  readonly idsPerPod: number;
  /** The host must have ids for this many pods. */
  readonly maxPods: number;
}

export const FILE_USER_NAMESPACES_CONFIG = createToken<FileUserNamespacesConfig>('kubelet.user-namespace.config/v1');

export const fileUserNamespacesConfigSchema = defineConfig<FileUserNamespacesConfig>(
  FILE_USER_NAMESPACES_CONFIG,
  {
    rootDir: stringField('/var/lib/kubelet'),
    idsPerPod: integerField(idsPerUnit, { min: idsPerUnit, max: 2 ** 32 - 1 }),
    maxPods: integerField(110, { min: 0 }),
  },
  ({ idsPerPod }) =>
    idsPerPod % idsPerUnit === 0
      ? []
      : [{ field: 'idsPerPod', value: idsPerPod, problem: `must be a multiple of ${idsPerUnit}` }],
);
