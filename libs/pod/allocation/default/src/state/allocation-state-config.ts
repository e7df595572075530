import { booleanField, defineConfig, stringField } from '@podwright/assembly-interface';

/** Options; the README's table describes each. */
export interface AllocationStateConfig {
  readonly rootDir: string;
  readonly initContainerResize: boolean;
  readonly podLevelResize: boolean;
}

export const allocationStateConfigSchema = defineConfig<AllocationStateConfig>({
  rootDir: stringField('/var/lib/kubelet'),
  initContainerResize: booleanField(true),
  podLevelResize: booleanField(true),
});
