import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { TRACER } from '@podwright/tracing-interface';
import { otlpTracerConfigSchema } from './otlp-tracer-config.js';
import { OtlpTracer, otlpTracerNeeds } from './otlp-tracer.js';

export const otlpTracerModule = defineModule({
  name: '@podwright/tracing',
  provides: [TRACER],
  needs: otlpTracerNeeds,
  config: otlpTracerConfigSchema,
  create: (deps, config) => new OtlpTracer(deps, config),
});

/** Creates one without an assembly; start and stop it. Throws `invalid-argument` for options out of range. */
export const createOtlpTracer = factoryOf(otlpTracerModule);
