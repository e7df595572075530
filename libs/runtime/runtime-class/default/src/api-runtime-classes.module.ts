import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { RUNTIME_CLASSES } from '@podwright/runtime-class-interface';
import { ApiRuntimeClasses, apiRuntimeClassesNeeds } from './api-runtime-classes.js';

export const apiRuntimeClassesModule = defineModule({
  name: '@podwright/runtime-class#api',
  provides: [RUNTIME_CLASSES],
  needs: apiRuntimeClassesNeeds,
  create: (deps) => new ApiRuntimeClasses(deps),
});

/** Creates one without an assembly. */
export const createApiRuntimeClasses = factoryOf(apiRuntimeClassesModule);
