export { lifecycleHooksNeeds, RuntimeLifecycleHooks } from './runtime-lifecycle-hooks.js';
export type { LifecycleHooksNeeds } from './runtime-lifecycle-hooks.js';
export { createLifecycleHooks, lifecycleHooksModule } from './runtime-lifecycle-hooks.module.js';
