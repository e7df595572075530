import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { STREAMING } from '@podwright/streaming-interface';
import { runtimeStreamingConfigSchema } from './runtime-streaming-config.js';
import { RuntimeStreaming, runtimeStreamingNeeds } from './runtime-streaming.js';

export const runtimeStreamingModule = defineModule({
  name: '@podwright/streaming',
  provides: [STREAMING],
  needs: runtimeStreamingNeeds,
  config: runtimeStreamingConfigSchema,
  create: (deps, config) => new RuntimeStreaming(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createRuntimeStreaming = factoryOf(runtimeStreamingModule);
