import 'reflect-metadata'; // tsyringe refuses to load without it

export { RuntimeLifecycleHooks, createLifecycleHooks } from './runtime-lifecycle-hooks.js';
export type { LifecycleHookDeps } from './runtime-lifecycle-hooks.js';
export { lifecycleHooksModule } from './runtime-lifecycle-hooks.module.js';
