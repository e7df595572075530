import { CLOCK, defineModule, METRICS } from '@podwright/assembly-interface';
import { CONTAINER_RUNTIME } from '@podwright/container-runtime-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { STREAMING } from '@podwright/streaming-interface';
import { runtimeStreamingConfigSchema } from './runtime-streaming-config.js';
import { RuntimeStreaming } from './runtime-streaming.js';

export const runtimeStreamingModule = defineModule({
  name: '@podwright/streaming',
  provides: [STREAMING],
  requires: [CONTAINER_RUNTIME, RUNTIME_SERVICE, CLOCK, METRICS],
  config: runtimeStreamingConfigSchema,
  register: (container) => {
    container.registerSingleton(RuntimeStreaming);
    container.register(STREAMING, { useToken: RuntimeStreaming }); // alias: both names give one instance
  },
});
