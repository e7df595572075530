import type { UpgradeRequest } from '@podwright/streaming-interface';
import { STATUS_CODES } from 'node:http';
import { headerOf } from '../proxy/replayed-request.js';

interface Refusal {
  readonly status: 400 | 405;
  readonly reason: string;
}

const keyBytes = 16;

/**
 * The answer to a handshake of `v5.channel.k8s.io` that is none, as upstream's library writes it; undefined for a good
 * one. Source: golang.org/x/net websocket/hybi.go (ReadHandshake, newHybiServerConn).
 */
export function refusedTranslation(request: UpgradeRequest): Buffer | undefined {
  const fault = faultOf(request, (key) => key !== '');
  if (fault === undefined) return undefined;
  return answer(fault.status, fault.reason === badVersion ? ['Sec-WebSocket-Version: 13'] : [], fault.reason);
}

/**
 * The same for a tunnel, for which upstream uses another library. Source: github.com/gorilla/websocket server.go
 * (Upgrade).
 */
export function refusedTunnel(request: UpgradeRequest): Buffer | undefined {
  const fault = faultOf(request, (key) => Buffer.from(key, 'base64').length === keyBytes);
  if (fault === undefined) return undefined;
  const body = `${STATUS_CODES[fault.status]}\n`;
  const plain = ['Content-Type: text/plain; charset=utf-8', 'X-Content-Type-Options: nosniff'];
  const length = [`Content-Length: ${body.length}`, 'Connection: close'];
  return answer(fault.status, ['Sec-Websocket-Version: 13', ...plain, ...length], body);
}

const badVersion = 'missing or bad WebSocket Version';

function faultOf({ method, rawHeaders }: UpgradeRequest, isKey: (key: string) => boolean): Refusal | undefined {
  if (method !== 'GET') return { status: 405, reason: 'bad method' };
  if (!isKey(headerOf(rawHeaders, 'sec-websocket-key'))) return { status: 400, reason: 'mismatch challenge/response' };
  if (headerOf(rawHeaders, 'sec-websocket-version') !== '13') return { status: 400, reason: badVersion };
  return undefined;
}

function answer(status: number, headers: readonly string[], body: string): Buffer {
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`, 'latin1');
}
