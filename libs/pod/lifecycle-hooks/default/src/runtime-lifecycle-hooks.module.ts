import { CLOCK, LOGGER, METRICS, defineModule } from '@podwright/assembly-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { LIFECYCLE_HOOKS } from '@podwright/lifecycle-hooks-interface';
import { RuntimeLifecycleHooks } from './runtime-lifecycle-hooks.js';

export const lifecycleHooksModule = defineModule({
  name: '@podwright/lifecycle-hooks',
  provides: [LIFECYCLE_HOOKS],
  requires: [RUNTIME_SERVICE, EVENT_RECORDER, CLOCK, LOGGER, METRICS],
  register: (container) => {
    container.registerSingleton(RuntimeLifecycleHooks);
    container.register(LIFECYCLE_HOOKS, { useToken: RuntimeLifecycleHooks });
  },
});
