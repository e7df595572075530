export { aggregateMessage } from './aggregate-message.js';
export { errnoWords } from './errno-words.js';
export { codeOfGrpcStatus, grpcCodeName, rethrowAsRpc, rpcErrorText } from './grpc-status.js';
export { rethrowWith } from './rethrow-with.js';
export { KubeletError, errorCodes, hasCode, isError, isMissing, messageOf } from './kubelet-error.js';
export type { ErrorCode, KubeletErrorOptions } from './kubelet-error.js';
