export { TRACER } from './tracing.js';
export type { SpanAttributes, SpanOptions, Tracer } from './tracing.js';
