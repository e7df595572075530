export { DRA_MANAGER } from './dra-manager.js';
export type { DraManager } from './dra-manager.js';
export { HealthStatus } from './generated/dra-health.js';
export type {
  DeviceHealth,
  DeviceIdentifier,
  NodeWatchResourcesRequest,
  NodeWatchResourcesResponse,
} from './generated/dra-health.js';
export type {
  Claim,
  Device,
  NodePrepareResourceResponse,
  NodePrepareResourcesRequest,
  NodePrepareResourcesResponse,
  NodeUnprepareResourceResponse,
  NodeUnprepareResourcesRequest,
  NodeUnprepareResourcesResponse,
} from './generated/dra.js';
