import { CLOCK, defineModule, LOGGER } from '@podwright/assembly-interface';
import { CONTAINER_GC } from '@podwright/container-gc-interface';
import { CONTAINER_RUNTIME } from '@podwright/container-runtime-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { POD_CACHE } from '@podwright/pod-cache-interface';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import { POD_LIFECYCLE } from '@podwright/pod-workers-interface';
import { TRACER } from '@podwright/tracing-interface';
import { runtimeContainerGcConfigSchema } from './runtime-container-gc-config.js';
import { RuntimeContainerGc } from './runtime-container-gc.js';

export const containerGcModule = defineModule({
  name: '@podwright/container-gc',
  provides: [CONTAINER_GC],
  requires: [RUNTIME_SERVICE, CONTAINER_RUNTIME, POD_LIFECYCLE, POD_CONFIG, POD_CACHE, EVENT_RECORDER, CLOCK, LOGGER],
  optional: [TRACER],
  config: runtimeContainerGcConfigSchema,
  register: (container) => {
    container.registerSingleton(RuntimeContainerGc);
    container.register(CONTAINER_GC, { useToken: RuntimeContainerGc }); // alias: both names give one instance
  },
});
