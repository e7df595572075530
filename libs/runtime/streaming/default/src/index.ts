export { RuntimeStreaming, runtimeStreamingNeeds } from './runtime-streaming.js';
export type { RuntimeStreamingNeeds } from './runtime-streaming.js';
export { runtimeStreamingConfigSchema } from './runtime-streaming-config.js';
export type { RuntimeStreamingConfig } from './runtime-streaming-config.js';
export { createRuntimeStreaming, runtimeStreamingModule } from './runtime-streaming.module.js';
export {
  createStreamingRoutes,
  streamingRoutesModule,
  streamingRoutesNeeds,
} from './routes/streaming-routes.module.js';
export type { StreamingRoutesNeeds } from './routes/streaming-routes.module.js';
// For a runtime's own end of a session.
export { SpdyFrameParser } from './spdy/frame-parser.js';
export type { SpdyEvents } from './spdy/frame-parser.js';
export { dataHead, goAway, pingFrame, synReply, synStream } from './spdy/frames.js';
export { HeaderBlocks } from './spdy/header-blocks.js';
