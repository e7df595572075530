import { createToken, defineConfig, stringMapField } from '@podwright/assembly-interface';

export interface ConfiguredRuntimeClassesConfig {
  /** Handler of the runtime by name of the class; an empty handler is the runtime's default. */
  readonly classes: Readonly<Record<string, string>>;
}

export const CONFIGURED_RUNTIME_CLASSES_CONFIG = createToken<ConfiguredRuntimeClassesConfig>(
  'kubelet.runtime-class.config/v1',
);

export const configuredRuntimeClassesConfigSchema = defineConfig<ConfiguredRuntimeClassesConfig>(
  CONFIGURED_RUNTIME_CLASSES_CONFIG,
  { classes: stringMapField({}) },
);
