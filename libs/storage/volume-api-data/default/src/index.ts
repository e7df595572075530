export { createApiDataPlugin } from './api-data-mounter.js';
export type { ApiDataDeps, ApiDataKind } from './api-data-mounter.js';
export { createApiDataVolumePlugins } from './api-data-volume-plugins.js';
export type { ApiDataVolumeDeps } from './api-data-volume-plugins.js';
export { writeAtomically } from './atomic-writer.js';
export type { AtomicWriterDeps } from './atomic-writer.js';
export { collectDownwardApi, createDownwardApiPlugin } from './downward-api.js';
export type { NodeAllocatable } from './downward-api.js';
export type { FileProjection, Payload } from './payload.js';
