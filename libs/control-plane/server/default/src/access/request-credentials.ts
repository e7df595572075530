import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { RequestCredentials } from '@podwright/server-auth-interface';
import { plainAddress } from '../plain-address.js';

const tokenProtocol = 'base64url.bearer.authorization.k8s.io.';
const protocolHeader = 'sec-websocket-protocol';
// The client chooses the length of its chain.
const maxChainLength = 10;

/** The credentials of a request, and its headers without them. */
export interface ShownCredentials {
  readonly credentials: RequestCredentials;
  /** Why the token cannot be read. Such a request is never admitted as anonymous. */
  readonly malformed?: string;
  /** Without Authorization and without the token among the WebSocket subprotocols: no route needs them. */
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
}

/**
 * Reads the client certificate, and the bearer token from the Authorization header or else from a WebSocket
 * subprotocol.
 * Sources: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/request/bearertoken, websocket.
 */
export function shownCredentials(
  request: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'socket'>,
): ShownCredentials {
  const { authorization, ...headers } = request.headers;
  const offered = subprotocols(request.headers);
  const protocols = offered.filter((protocol) => !protocol.startsWith(tokenProtocol));
  const fromProtocol = isWebSocket(request.headers) ? protocolToken(offered, protocols) : {};
  const token = headerToken(authorization) ?? fromProtocol.token;
  const chain = certificateChain(request.socket);
  const { remoteAddress } = request.socket;
  return {
    credentials: {
      ...(chain !== undefined && { clientCertificate: { chain } }),
      ...(token !== undefined && { bearerToken: token }),
      ...(remoteAddress !== undefined && { remoteAddress: plainAddress(remoteAddress) }),
    },
    ...(fromProtocol.malformed !== undefined && { malformed: fromProtocol.malformed }),
    headers: protocols.length === offered.length ? headers : { ...headers, [protocolHeader]: protocols.join(',') },
    rawHeaders: withoutSecrets(request.rawHeaders, protocols.length === offered.length ? undefined : protocols),
  };
}

function headerToken(authorization: string | undefined): string | undefined {
  const [scheme = '', token = ''] = (authorization ?? '').trim().split(' ');
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

const subprotocols = (headers: IncomingHttpHeaders): readonly string[] => {
  const header = headers[protocolHeader];
  return header === undefined || header === '' ? [] : header.split(',').map((protocol) => protocol.trim());
};

const isWebSocket = ({ upgrade, connection }: IncomingHttpHeaders): boolean =>
  upgrade?.toLowerCase() === 'websocket' && /(^|.*,\s*)upgrade($|\s*,)/i.test(connection ?? '');

function protocolToken(
  offered: readonly string[],
  others: readonly string[],
): { readonly token?: string; readonly malformed?: string } {
  const tokens = offered.filter((protocol) => protocol.startsWith(tokenProtocol));
  const [encoded] = tokens.map((protocol) => protocol.slice(tokenProtocol.length));
  if (encoded === undefined) return {};
  if (tokens.length > 1) return { malformed: 'multiple base64.bearer.authorization tokens specified' };
  if (!/^[A-Za-z0-9_-]*$/.test(encoded)) return { malformed: 'invalid base64.bearer.authorization token encoding' };
  try {
    const token = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64url'));
    // The server must choose a subprotocol for its answer, and that must not be the token.
    if (others.length === 0) return { malformed: 'missing additional subprotocol' };
    return token === '' ? {} : { token };
  } catch (error) {
    if (error instanceof TypeError) return { malformed: 'invalid base64.bearer.authorization token' };
    throw error;
  }
}

// Node returns a connection's full chain only once; later calls return only the leaf.
const chains = new WeakMap<TLSSocket, readonly Uint8Array[]>();

/** The client's certificate chain as DER, the leaf first; undefined without a certificate. */
function certificateChain(socket: unknown): readonly Uint8Array[] | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const chain = chains.get(socket) ?? readChain(socket);
  chains.set(socket, chain);
  return chain.length === 0 ? undefined : chain;
}

function readChain(socket: TLSSocket): readonly Uint8Array[] {
  const chain: Uint8Array[] = [];
  let certificate = socket.getPeerX509Certificate();
  while (certificate !== undefined && chain.length < maxChainLength) {
    chain.push(certificate.raw);
    certificate = certificate.issuerCertificate;
  }
  return chain;
}

function withoutSecrets(raw: readonly string[], protocols: readonly string[] | undefined): readonly string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const [name = '', value = ''] = raw.slice(index, index + 2);
    const lower = name.toLowerCase();
    if (lower === 'authorization' || (lower === protocolHeader && protocols !== undefined)) continue;
    kept.push(name, value);
  }
  return protocols === undefined ? kept : [...kept, 'Sec-WebSocket-Protocol', protocols.join(',')];
}
