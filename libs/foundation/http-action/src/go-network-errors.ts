import { isError, messageOf } from '@podwright/errors';
import { getServers } from 'node:dns';
import { isIP, type Socket } from 'node:net';
import { goRemoteAlert } from './go-tls.js';
import { joinHostPort } from './host-port.js';

// Linux's error texts as Go prints them.
const kernelWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
  EPIPE: 'broken pipe',
  EADDRNOTAVAIL: 'cannot assign requested address',
};

// A resolver that gives no answer is EAI_AGAIN whatever it did; Go tells a refusal and a timeout apart.
const lookupWords: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'server misbehaving',
};

const dnsPort = 53;

/**
 * A failed connect in Go's words: `dial tcp 10.0.0.1:80: connect: connection refused`, or `dial tcp: lookup a.test on
 * 10.0.0.10:53: no such host` with the first of the servers. Unknown errors keep Node's text.
 */
export function goDialError(
  error: unknown,
  host: string,
  port: number,
  servers: () => readonly string[] = getServers,
): string {
  const code = codeOf(error);
  const lookup = lookupWords[code];
  if (lookup !== undefined) return `dial tcp: lookup ${host}${onServer(servers()[0])}: ${lookup}`;
  const words = kernelWords[code];
  return `dial tcp ${joinHostPort(host, port)}: ${words === undefined ? messageOf(error) : `connect: ${words}`}`;
}

// Node names the port of a server only when it is another one: `10.0.0.10`, `[fd00::10]:5353`.
function onServer(server: string | undefined): string {
  if (server === undefined) return '';
  return ` on ${isIP(server) === 0 ? server : joinHostPort(server, dnsPort)}`;
}

/** A timed-out connect in Go's words. */
export function goDialTimeout(host: string, port: number): string {
  return `dial tcp ${joinHostPort(host, port)}: i/o timeout`;
}

/**
 * A failed read in Go's words: `read tcp 10.0.0.2:51000->10.0.0.1:80: read: connection reset by peer`, or `remote error:
 * tls: handshake failure`. `ends` comes from {@link connectionEnds}. Unknown errors keep Node's text.
 */
export function goReadError(error: unknown, ends: string): string {
  const words = kernelWords[codeOf(error)];
  return words === undefined ? (goRemoteAlert(error) ?? messageOf(error)) : `read tcp ${ends}: read: ${words}`;
}

/** Both addresses of a connection. Call it while the socket is open: afterwards it does not know them. */
export function connectionEnds({
  localAddress = '',
  localPort = 0,
  remoteAddress = '',
  remotePort = 0,
}: Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>): string {
  return `${joinHostPort(localAddress, localPort)}->${joinHostPort(remoteAddress, remotePort)}`;
}

/** Go's error for a server that answers the TLS handshake in plain text. */
export const goPlainAnswer = 'http: server gave HTTP response to HTTPS client';

/** True for the error of a TLS handshake that the server did not answer with TLS, such as a plain HTTP server. */
export function isPlainAnswer(error: unknown): boolean {
  // OpenSSL's error code depends on where it detects this; the text does not.
  return (
    codeOf(error) === 'ERR_SSL_WRONG_VERSION_NUMBER' ||
    /wrong version number|packet length too long/i.test(messageOf(error))
  );
}

function codeOf(error: unknown): string {
  const code = isError(error) && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
