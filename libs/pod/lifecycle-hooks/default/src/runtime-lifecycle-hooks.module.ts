import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { LIFECYCLE_HOOKS } from '@podwright/lifecycle-hooks-interface';
import { lifecycleHooksNeeds, RuntimeLifecycleHooks } from './runtime-lifecycle-hooks.js';

export const lifecycleHooksModule = defineModule({
  name: '@podwright/lifecycle-hooks',
  provides: [LIFECYCLE_HOOKS],
  needs: lifecycleHooksNeeds,
  create: (deps) => new RuntimeLifecycleHooks(deps),
});

/** Creates one without an assembly. */
export const createLifecycleHooks = factoryOf(lifecycleHooksModule);
