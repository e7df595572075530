import { defineConfig, integerField, stringField } from '@podwright/assembly-interface';

/** Smallest size of a user namespace: programs expect every 16-bit id to exist. */
export const idsPerUnit = 65_536;

export interface FileUserNamespacesConfig {
  readonly rootDir: string;
  /** Host ids for one pod, a multiple of 65536. */
  readonly idsPerPod: number;
  /** The host must have enough ids for this many pods. */
  readonly maxPods: number;
}

export const fileUserNamespacesConfigSchema = defineConfig<FileUserNamespacesConfig>(
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
