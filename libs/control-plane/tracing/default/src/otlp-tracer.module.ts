import { CLOCK, defineModule, LOGGER } from '@podwright/assembly-interface';
import { TRACER } from '@podwright/tracing-interface';
import { otlpTracerConfigSchema } from './otlp-tracer-config.js';
import { OtlpTracer } from './otlp-tracer.js';

export const otlpTracerModule = defineModule({
  name: '@podwright/tracing',
  provides: [TRACER],
  requires: [CLOCK, LOGGER],
  config: otlpTracerConfigSchema,
  register: (container) => {
    container.registerSingleton(OtlpTracer);
    container.register(TRACER, { useToken: OtlpTracer }); // alias: both names give one instance
  },
});
