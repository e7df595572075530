export { containerPort } from './container-port.js';
export {
  connectionEnds,
  goDialError,
  goDialTimeout,
  goPlainAnswer,
  goReadError,
  isPlainAnswer,
} from './go-network-errors.js';
export { joinHostPort } from './host-port.js';
export type { HttpGetAction } from './http-get-action.js';
export { httpGetRequest, kubeUserAgent, requestFailure, requestUrl } from './http-get-request.js';
export type { HttpGetRequest, RequestPurpose } from './http-get-request.js';
export { mostRedirects, redirectedRequest, tooManyRedirects } from './redirected-request.js';
export type { RequestHeaders } from './request-headers.js';
export { requestRefusal } from './request-refusal.js';
export { goCipherSuites } from './go-tls.js';
