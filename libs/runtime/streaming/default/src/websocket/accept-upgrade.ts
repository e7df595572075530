import type { UpgradeRequest } from '@podwright/streaming-interface';
import { createHash } from 'node:crypto';
import { headerList, headerOf } from '../proxy/replayed-request.js';

// RFC 6455 section 1.3.
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/**
 * True for a request that asks for a WebSocket. Source: kubernetes v1.36
 * staging/src/k8s.io/streaming/pkg/httpstream/wsstream.
 */
export function isWebSocketRequest({ rawHeaders }: UpgradeRequest): boolean {
  return headerOf(rawHeaders, 'upgrade').toLowerCase() === 'websocket';
}

/** The subprotocols that the client offers, in its order. */
export function offeredProtocols({ rawHeaders }: UpgradeRequest): readonly string[] {
  return headerList(rawHeaders, 'sec-websocket-protocol');
}

/** The 101 answer that opens the WebSocket. */
export function acceptUpgrade({ rawHeaders }: UpgradeRequest, protocol: string | undefined): Buffer {
  const key = headerOf(rawHeaders, 'sec-websocket-key');
  const accept = createHash('sha1').update(`${key}${acceptSuffix}`).digest('base64');
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    ...(protocol === undefined ? [] : [`Sec-WebSocket-Protocol: ${protocol}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
