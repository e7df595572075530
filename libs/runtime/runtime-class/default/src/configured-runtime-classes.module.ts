import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { RUNTIME_CLASSES } from '@podwright/runtime-class-interface';
import { ConfiguredRuntimeClasses } from './configured-runtime-classes.js';
import { configuredRuntimeClassesConfigSchema } from './configured-runtime-classes-config.js';

export const configuredRuntimeClassesModule = defineModule({
  name: '@podwright/runtime-class',
  provides: [RUNTIME_CLASSES],
  config: configuredRuntimeClassesConfigSchema,
  create: (_deps, config) => new ConfiguredRuntimeClasses(config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options of the wrong kind. */
export const createConfiguredRuntimeClasses = factoryOf(configuredRuntimeClassesModule);
