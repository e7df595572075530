import { isError, messageOf } from '@podwright/errors';
import type { Socket } from 'node:net';
import { joinHostPort } from './host-port.js';

// The kernel's words as Go prints them.
const kernelWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
  EPIPE: 'broken pipe',
  EADDRNOTAVAIL: 'cannot assign requested address',
};

/** A connection that did not come about: `dial tcp 10.0.0.1:80: connect: connection refused`. Other errors in Node's words. */
export function goDialError(error: unknown, host: string, port: number): string {
  const code = codeOf(error);
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${host}: no such host`;
  const words = kernelWords[code];
  return `dial tcp ${joinHostPort(host, port)}: ${words === undefined ? messageOf(error) : `connect: ${words}`}`;
}

/** A connection that did not come about in time. */
export function goDialTimeout(host: string, port: number): string {
  return `dial tcp ${joinHostPort(host, port)}: i/o timeout`;
}

/**
 * A connection that broke: `read tcp 10.0.0.2:51000->10.0.0.1:80: read: connection reset by peer`. `ends` as in
 * `connectionEnds`. Other errors in Node's words.
 */
export function goReadError(error: unknown, ends: string): string {
  const words = kernelWords[codeOf(error)];
  return words === undefined ? messageOf(error) : `read tcp ${ends}: read: ${words}`;
}

/** Both addresses of a connection; a socket knows them only while it is open. */
export function connectionEnds({
  localAddress = '',
  localPort = 0,
  remoteAddress = '',
  remotePort = 0,
}: Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>): string {
  return `${joinHostPort(localAddress, localPort)}->${joinHostPort(remoteAddress, remotePort)}`;
}

/** What Go's client says of a server that answers the handshake of TLS in plain text. */
export const goPlainAnswer = 'http: server gave HTTP response to HTTPS client';

/** True for the error of a handshake of TLS that was answered with something else, as a server does that speaks plain HTTP. */
export function isPlainAnswer(error: unknown): boolean {
  // The library's code for it changes with the place at which it notices; the text does not.
  return (
    codeOf(error) === 'ERR_SSL_WRONG_VERSION_NUMBER' ||
    /wrong version number|packet length too long/i.test(messageOf(error))
  );
}

function codeOf(error: unknown): string {
  const code = isError(error) && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
