import 'reflect-metadata'; // tsyringe refuses to load without it

export { PodStatusManager, createPodStatusManager } from './pod-status-manager.js';
export type { PodStatusManagerDeps } from './pod-status-manager.js';
export { statusModule } from './pod-status-manager.module.js';
export { createApiStatusManager } from './create-api-status-manager.js';
export type { ApiStatusManagerDeps, ApiStatusParts } from './create-api-status-manager.js';
export { apiStatusModule } from './api-status.module.js';
export { StatusSender } from './status-sender.js';
export { STATUS_SENDER_CONFIG, statusSenderConfig } from './status-sender-config.js';
export type { StatusSenderConfig } from './status-sender-config.js';
export { STATUS_KEEPING, keepsAllStatuses, keepsWhatTheApiLacks } from './status-keeping.js';
export type { StatusKeeping } from './status-keeping.js';
