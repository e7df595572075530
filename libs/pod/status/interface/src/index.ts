export { STATUS_MANAGER } from './status-manager.js';
export type { StatusManager } from './status-manager.js';
export { STATUS_DELIVERY } from './status-delivery.js';
export type { StatusDelivery } from './status-delivery.js';
export {
  containersReadyCondition,
  initializedCondition,
  podReadyCondition,
  readinessIsStale,
  withReadiness,
} from './conditions.js';
export { isKubeletCondition, isSharedCondition } from './kubelet-conditions.js';
