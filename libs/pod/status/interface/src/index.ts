export { STATUS_MANAGER } from './status-manager.js';
export type { StatusManager } from './status-manager.js';
export { containersReadyCondition, initializedCondition, podReadyCondition, withReadiness } from './conditions.js';
