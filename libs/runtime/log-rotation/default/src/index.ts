import 'reflect-metadata'; // tsyringe refuses to load without it
export { createGzipLogRotation, GzipLogRotation } from './gzip-log-rotation.js';
export type { GzipLogRotationDeps, LogRotationRuntime } from './gzip-log-rotation.js';
export { GZIP_LOG_ROTATION_CONFIG, gzipLogRotationConfigSchema } from './gzip-log-rotation-config.js';
export type { GzipLogRotationConfig } from './gzip-log-rotation-config.js';
export { logRotationModule } from './gzip-log-rotation.module.js';
