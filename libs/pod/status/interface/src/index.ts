export { STATUS_MANAGER } from './status-manager.js';
export type { StatusManager } from './status-manager.js';
export {
  containersReadyCondition,
  initializedCondition,
  podReadyCondition,
  readinessIsStale,
  withReadiness,
} from './conditions.js';
export { isKubeletCondition, isSharedCondition } from './kubelet-conditions.js';
