export { describeTracerContract } from './tracer-contract.js';
export type { ReceivedSpan, TracerHarness } from './tracer-contract.js';
export { TestCollector } from './test-collector.js';
export { RecordingTracer } from './recording-tracer.js';
export type { RecordedSpan } from './recording-tracer.js';
