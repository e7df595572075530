import { ApiError } from '@podwright/api-machinery';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import type { ApiResponse } from '../http/api-request.js';
import { errorResponse } from '../http/json-response.js';
import { authority, dialError, type KubeletCredentials } from './kubelet-proxy.js';
import type { KubeletLocation } from './kubelet-location.js';

const connectTimeoutMs = 30_000;

/**
 * Tunnels a client's upgrade (SPDY or WebSocket) to the kubelet: it forwards the request with the kubelet's path and
 * then passes all bytes unchanged, including the kubelet's answer. Resolves when both sides are closed.
 */
export async function tunnelUpgrade(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  location: KubeletLocation,
  credentials: KubeletCredentials,
): Promise<void> {
  // An unhandled socket error would end the process.
  client.on('error', () => client.destroy());
  let kubelet: tls.TLSSocket;
  try {
    kubelet = await connect(location, credentials);
  } catch (error) {
    const message = `error dialing backend: ${dialError(error, location)}`;
    writeResponse(client, errorResponse(new ApiError(500, '', message)));
    return;
  }
  kubelet.write(requestHead(request, location));
  if (head.byteLength > 0) kubelet.write(head);
  kubelet.pipe(client);
  client.pipe(kubelet);
  await Promise.all([closed(kubelet, client), closed(client, kubelet)]);
}

/** Writes an ordinary answer to a connection that asked for an upgrade, and closes it. */
export function writeResponse(client: Duplex, { status, headers, body }: ApiResponse): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  client.write(`HTTP/1.1 ${status} ${status < 300 ? 'OK' : 'Error'}\r\n${lines.join('')}connection: close\r\n\r\n`);
  client.end(body instanceof Uint8Array ? body : undefined);
}

function connect(
  { host, port }: KubeletLocation,
  { certificate, privateKey }: KubeletCredentials,
): Promise<tls.TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = tls.connect({ host, port, cert: certificate, key: privateKey, rejectUnauthorized: false });
    socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error('i/o timeout')));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      socket.setTimeout(0);
      socket.off('error', reject);
      socket.on('error', () => socket.destroy());
      resolve(socket);
    });
  });
}

/** The head of the request to the kubelet: the client's headers, without Authorization and with another Host. */
function requestHead({ method = 'GET', rawHeaders }: IncomingMessage, location: KubeletLocation): string {
  const lines = [`${method} ${location.path} HTTP/1.1`, `Host: ${authority(location)}`];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (!['host', 'authorization'].includes(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[index + 1] ?? ''}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

function closed(socket: Duplex, other: Duplex): Promise<void> {
  return new Promise((resolve) =>
    socket.once('close', () => {
      other.destroy();
      resolve();
    }),
  );
}
