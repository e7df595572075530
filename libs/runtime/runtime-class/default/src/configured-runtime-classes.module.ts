import { defineModule } from '@podwright/assembly-interface';
import { RUNTIME_CLASSES } from '@podwright/runtime-class-interface';
import { ConfiguredRuntimeClasses } from './configured-runtime-classes.js';
import { configuredRuntimeClassesConfigSchema } from './configured-runtime-classes-config.js';

export const configuredRuntimeClassesModule = defineModule({
  name: '@podwright/runtime-class',
  provides: [RUNTIME_CLASSES],
  requires: [],
  config: configuredRuntimeClassesConfigSchema,
  register: (container) => {
    container.registerSingleton(ConfiguredRuntimeClasses);
    container.register(RUNTIME_CLASSES, { useToken: ConfiguredRuntimeClasses }); // alias: both names give one instance
  },
});
