import { isError, messageOf } from '@podwright/errors';
import type { Socket } from 'node:net';

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

/** `host:port`, with brackets around an IPv6 address. */
export function joinHostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** A connection that did not come about: `dial tcp 10.0.0.1:80: connect: connection refused`. */
export function goDialError(error: unknown, host: string, port: number): string {
  const code = codeOf(error);
  if (code === 'ENOTFOUND') return `dial tcp: lookup ${host}: no such host`;
  const words = kernelWords[code];
  return `dial tcp ${joinHostPort(host, port)}: ${words === undefined ? messageOf(error) : `connect: ${words}`}`;
}

export function goDialTimeout(host: string, port: number): string {
  return `dial tcp ${joinHostPort(host, port)}: i/o timeout`;
}

/** A connection that broke: `read tcp 10.0.0.2:51000->10.0.0.1:80: read: connection reset by peer`. `ends` as in `endsOf`. */
export function goReadError(error: unknown, ends: string): string {
  const words = kernelWords[codeOf(error)];
  return words === undefined ? messageOf(error) : `read tcp ${ends}: read: ${words}`;
}

/** Both addresses of a connection; a socket knows them only while it is open. */
export function endsOf({ localAddress = '', localPort = 0, remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${joinHostPort(localAddress, localPort)}->${joinHostPort(remoteAddress, remotePort)}`;
}

function codeOf(error: unknown): string {
  const code = isError(error) && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
