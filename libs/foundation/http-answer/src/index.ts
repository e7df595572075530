export {
  badRequest,
  debuggingDisabled,
  endpointDisabled,
  goError,
  internalError,
  jsonPage,
  methodNotAllowed,
  notAcceptable,
  notFound,
  pageNotFound,
  redirect,
  text,
  tooManyHeaders,
  tooManyRequests,
  upgradeError,
} from './answer.js';
export type { Answer } from './answer.js';
export { gzipped } from './gzipped.js';
export { escapeHtml } from './escape-html.js';
