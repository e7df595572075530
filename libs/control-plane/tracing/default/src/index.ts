export { OtlpTracer, otlpTracerNeeds } from './otlp-tracer.js';
export type { OtlpTracerNeeds } from './otlp-tracer.js';
export { otlpTracerConfigSchema } from './otlp-tracer-config.js';
export type { OtlpTracerConfig } from './otlp-tracer-config.js';
export { createOtlpTracer, otlpTracerModule } from './otlp-tracer.module.js';
