export { GzipLogRotation, logRotationNeeds } from './gzip-log-rotation.js';
export type { LogRotationNeeds, LogRotationRuntime } from './gzip-log-rotation.js';
export { gzipLogRotationConfigSchema } from './gzip-log-rotation-config.js';
export type { GzipLogRotationConfig } from './gzip-log-rotation-config.js';
export { createGzipLogRotation, logRotationModule } from './gzip-log-rotation.module.js';
