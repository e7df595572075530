export { STATUS_MANAGER } from './status-manager.js';
export type { StatusChange, StatusManager } from './status-manager.js';
export { STATUS_DELIVERY } from './status-delivery.js';
export type { StatusDelivery } from './status-delivery.js';
export { isKubeletCondition, isSharedCondition } from './kubelet-conditions.js';
export type { ConditionGates } from './kubelet-conditions.js';
export { unseenCompletion } from './unseen-completion.js';
export { POD_START_OBSERVER } from './pod-start-observer.js';
export type { PodStartObserver } from './pod-start-observer.js';
