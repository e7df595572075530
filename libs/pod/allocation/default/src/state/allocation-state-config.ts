import { booleanField, createToken, defineConfig, stringField } from '@podwright/assembly-interface';

/** The README's table says what each option does. */
export interface AllocationStateConfig {
  readonly rootDir: string;
  readonly initContainerResize: boolean;
  readonly podLevelResize: boolean;
}

export const ALLOCATION_STATE_CONFIG = createToken<AllocationStateConfig>('kubelet.allocation-state.config/v1');

export const allocationStateConfigSchema = defineConfig<AllocationStateConfig>(ALLOCATION_STATE_CONFIG, {
  rootDir: stringField('/var/lib/kubelet'),
  initContainerResize: booleanField(true),
  podLevelResize: booleanField(true),
});
