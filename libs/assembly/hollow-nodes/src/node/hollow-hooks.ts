import type { LifecycleHooks } from '@podwright/lifecycle-hooks-interface';

/** Hooks without a network: one over HTTP succeeds at once, all others run as on any node. */
export const withoutHttpHooks = (hooks: LifecycleHooks): LifecycleHooks => ({
  run: async (hook, pod, container, ...rest) => {
    if (container.lifecycle?.[hook]?.httpGet === undefined) await hooks.run(hook, pod, container, ...rest);
  },
});
