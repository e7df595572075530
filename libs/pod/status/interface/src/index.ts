export { STATUS_MANAGER } from './status-manager.js';
export type { StatusManager } from './status-manager.js';
