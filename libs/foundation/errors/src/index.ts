export { KubeletError, errorCodes, hasCode, messageOf } from './kubelet-error.js';
export type { ErrorCode, KubeletErrorOptions } from './kubelet-error.js';
