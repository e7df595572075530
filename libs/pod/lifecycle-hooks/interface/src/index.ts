export { LIFECYCLE_HOOKS } from './lifecycle-hooks.js';
export type { HookOptions, LifecycleHooks } from './lifecycle-hooks.js';
