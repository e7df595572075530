export { KubeletError, errorCodes, hasCode, isError, messageOf } from './kubelet-error.js';
export type { ErrorCode, KubeletErrorOptions } from './kubelet-error.js';
