export { LIFECYCLE_HOOKS } from './lifecycle-hooks.js';
export type { LifecycleHooks } from './lifecycle-hooks.js';
