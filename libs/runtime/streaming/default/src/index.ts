import 'reflect-metadata'; // tsyringe refuses to load without it
export { createRuntimeStreaming, RuntimeStreaming } from './runtime-streaming.js';
export type { RuntimeStreamingDeps } from './runtime-streaming.js';
export { RUNTIME_STREAMING_CONFIG, runtimeStreamingConfigSchema } from './runtime-streaming-config.js';
export type { RuntimeStreamingConfig } from './runtime-streaming-config.js';
export { runtimeStreamingModule } from './runtime-streaming.module.js';
