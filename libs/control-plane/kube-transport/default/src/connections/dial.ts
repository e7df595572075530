import { connect as connectTcp, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls } from 'node:tls';
import type { PeerCertificate, SecureContext, TLSSocket } from 'node:tls';
import { withDeadline } from '@podwright/concurrency';
import { hasCode } from '@podwright/errors';
import { goDialTimeout } from '@podwright/http-action';
import type { ServerAddress } from '@podwright/kubeconfig';
import type { Clock } from '@podwright/time';
import { abortReason, onAbort } from '@podwright/time';
import { dialTimeoutCode } from './connection-fault.js';
import { openTunnel } from './proxy-tunnel.js';

/** The parameters of a new connection. */
export interface DialTarget {
  readonly server: ServerAddress;
  readonly proxy: URL | undefined;
  /** Name in the server's certificate. */
  readonly serverName: string;
  readonly insecure: boolean;
  readonly dialTimeoutMs: number;
  readonly tlsHandshakeTimeoutMs: number;
  /** Called with the seconds that the DNS lookup took. */
  readonly onLookup: (host: string, seconds: number) => void;
}

// As upstream's dialer.
const keepAliveMs = 30_000;

/**
 * Connects to the server: through the proxy if there is one, with TLS if there is a context. Offers `protocols` in
 * their order; the socket's `alpnProtocol` is the server's choice. Rejects with the connection's error or the signal's
 * reason.
 */
export async function dial(
  target: DialTarget,
  tls: { readonly context: SecureContext; readonly protocols: readonly string[] } | undefined,
  clock: Clock,
  signal: AbortSignal,
): Promise<Socket> {
  const { server, proxy } = target;
  const first = proxy === undefined ? server : { host: bareHost(proxy), port: portOf(proxy) };
  const tcp = await within(clock, target.dialTimeoutMs, signal, goDialTimeout(first.host, first.port), (deadline) =>
    connected(connectTo(first.host, first.port, target, clock), 'connect', deadline),
  );
  try {
    const way = proxy === undefined ? tcp : await throughProxy(tcp, proxy, target, clock, signal);
    if (tls === undefined) return way;
    return await within(clock, target.tlsHandshakeTimeoutMs, signal, 'net/http: TLS handshake timeout', (deadline) =>
      connected(encrypt(way, target, tls), 'secureConnect', deadline),
    );
  } catch (error) {
    tcp.destroy();
    throw error;
  }
}

function connectTo(host: string, port: number, { onLookup }: DialTarget, clock: Clock): Socket {
  const startedAtMs = clock.monotonic();
  const socket = connectTcp({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs });
  if (isIP(host) === 0) {
    socket.once('lookup', () => onLookup(host, (clock.monotonic() - startedAtMs) / 1000));
  }
  return socket;
}

async function throughProxy(
  tcp: Socket,
  proxy: URL,
  target: DialTarget,
  clock: Clock,
  signal: AbortSignal,
): Promise<Socket> {
  return within(clock, target.dialTimeoutMs, signal, `proxy ${proxy.host} does not answer`, async (deadline) => {
    const socket =
      proxy.protocol === 'https:'
        ? await connected(
            connectTls({
              socket: tcp,
              host: bareHost(proxy),
              ...(isIP(bareHost(proxy)) === 0 && { servername: bareHost(proxy) }),
            }),
            'secureConnect',
            deadline,
          )
        : tcp;
    await openTunnel(socket, proxy, target.server.host, target.server.port);
    return socket;
  });
}

function encrypt(
  socket: Socket,
  { serverName, insecure }: DialTarget,
  tls: { readonly context: SecureContext; readonly protocols: readonly string[] },
): TLSSocket {
  return connectTls({
    socket,
    secureContext: tls.context,
    ALPNProtocols: [...tls.protocols],
    rejectUnauthorized: !insecure,
    // The server cannot choose a certificate by an IP address.
    ...(isIP(serverName) === 0 && { servername: serverName }),
    checkServerIdentity: (_host: string, certificate: PeerCertificate) => identityFault(serverName, certificate),
  });
}

/** As Go, ignores the common name. */
function identityFault(serverName: string, certificate: PeerCertificate): Error | undefined {
  if (certificate.subjectaltname !== undefined) return checkServerIdentity(serverName, certificate);
  return Object.assign(new Error('the certificate has no alternative names'), {
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    host: serverName,
    cert: certificate,
  });
}

/** Resolves with the socket on the event. Destroys the socket when it fails or the signal aborts. */
function connected<S extends Socket>(socket: S, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      unsubscribe();
      socket.off(event, ready).off('error', fail).off('close', closed);
      act();
    };
    const fail = (error: Error): void =>
      settle(() => {
        // A socket may report a second error while it closes; the first is the cause.
        socket.on('error', () => undefined);
        socket.destroy();
        reject(error);
      });
    const ready = (): void => settle(() => resolve(socket));
    const closed = (): void => fail(Object.assign(new Error('EOF'), { code: 'EOF' }));
    const unsubscribe = onAbort(signal, () => fail(abortReason(signal)));
    socket.on(event, ready).on('error', fail).on('close', closed);
  });
}

async function within<T>(
  clock: Clock,
  limitMs: number,
  signal: AbortSignal,
  words: string,
  task: (deadline: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await withDeadline(clock, limitMs, task, signal);
  } catch (error) {
    if (signal.aborted || !hasCode(error, 'deadline-exceeded')) throw error;
    throw Object.assign(new Error(words, { cause: error }), { code: dialTimeoutCode });
  }
}

function bareHost({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
