import { isError, messageOf } from '@podwright/errors';
import { authorityOf, urlOf, type RequestTarget } from './request-target.js';

const dialErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
};

/** True when a server answered the handshake of TLS with something else, as one that speaks plain HTTP does. */
export function isPlainAnswer(error: unknown): boolean {
  return codeOf(error) === 'ERR_SSL_WRONG_VERSION_NUMBER' || /wrong version number/i.test(messageOf(error));
}

/** A request that got no answer, in the words of Go's client, which users know: `Get "<url>": dial tcp ...`. */
export function goRequestError(error: unknown, target: RequestTarget): string {
  return `Get ${JSON.stringify(urlOf(target))}: ${reasonOf(error, target)}`;
}

function reasonOf(error: unknown, target: RequestTarget): string {
  const code = codeOf(error);
  if (isPlainAnswer(error)) return 'http: server gave HTTP response to HTTPS client';
  const dial = dialErrors[code];
  if (dial !== undefined) return `dial tcp ${authorityOf(target)}: connect: ${dial}`;
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${target.host}: no such host`;
  if (code === 'ABORT_ERR') return 'context canceled';
  if (code === 'ECONNRESET') return messageOf(error) === 'socket hang up' ? 'EOF' : 'read: connection reset by peer';
  return messageOf(error);
}

function codeOf(error: unknown): string {
  const code = isError(error) && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
