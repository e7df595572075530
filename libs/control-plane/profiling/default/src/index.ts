export { createProfilingRoutes, profilingModule, profilingNeeds } from './profiling.module.js';
export type { ProfilingNeeds } from './profiling.module.js';
export { profilingConfig } from './profiling-config.js';
export type { ProfilingConfig } from './profiling-config.js';
