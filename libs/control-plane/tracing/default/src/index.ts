import 'reflect-metadata'; // tsyringe refuses to load without it
export { createOtlpTracer, OtlpTracer } from './otlp-tracer.js';
export type { OtlpTracerDeps } from './otlp-tracer.js';
export { OTLP_TRACER_CONFIG, otlpTracerConfigSchema } from './otlp-tracer-config.js';
export type { OtlpTracerConfig } from './otlp-tracer-config.js';
export { otlpTracerModule } from './otlp-tracer.module.js';
