import { defineConfig, stringMapField } from '@podwright/assembly-interface';

export interface ConfiguredRuntimeClassesConfig {
  /** Handler of the runtime by name of the class; an empty handler is the runtime's default. */
  readonly classes: Readonly<Record<string, string>>;
}

export const configuredRuntimeClassesConfigSchema = defineConfig<ConfiguredRuntimeClassesConfig>({
  classes: stringMapField({}),
});
