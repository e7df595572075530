import { messageOf } from '@podwright/errors';
import {
  goCipherSuites,
  goDialTimeout,
  goPlainAnswer,
  isPlainAnswer,
  type HttpGetRequest,
} from '@podwright/http-action';
import { onAbort, type Clock } from '@podwright/time';
import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { AttemptTime } from './attempt-time.js';
import { HttpResponseReader, type HttpResponse } from './http-response-reader.js';
import { ProbeConnection } from './probe-connection.js';

/** The result of one request. `no-answer` and `broken-body` have the text of Go's client. */
export type HttpExchange =
  | { readonly kind: 'response'; readonly response: HttpResponse }
  | { readonly kind: 'no-answer'; readonly text: string }
  | { readonly kind: 'broken-body'; readonly text: string };

/**
 * One request on its own connection, written directly to a socket: Node's client costs twice as much CPU, and sends a
 * FIN before we can reset the connection. Starts `time`, which spans several exchanges.
 */
export function httpExchange(
  request: HttpGetRequest,
  time: AttemptTime,
  signal: AbortSignal,
  clock: Clock,
): Promise<HttpExchange> {
  return new Promise((resolve) => {
    const connection = new ProbeConnection(request.host, request.port);
    const stream = request.scheme === 'https' ? overTls(connection, request.host) : connection.socket;
    const reader = new HttpResponseReader();
    let settled = false;
    const settle = (exchange: HttpExchange, complete = false): void => {
      if (settled) return;
      settled = true;
      unlisten();
      time.pause();
      if (complete) connection.finish(clock, signal);
      else connection.reset();
      resolve(exchange);
    };
    const fail = (text: string): void => settle({ kind: reader.inBody ? 'broken-body' : 'no-answer', text });
    const done = (): void => settle({ kind: 'response', response: reader.response() }, true);
    const guarded = (read: () => boolean): void => {
      if (settled) return;
      try {
        if (read()) done();
      } catch (error) {
        fail(messageOf(error));
      }
    };
    const unlisten = onAbort(signal, () => fail('context canceled'));
    stream.on('data', (piece: Buffer) => guarded(() => reader.push(piece)));
    stream.once('end', () => guarded(() => (reader.end(), true)));
    stream.once('close', () => fail('EOF'));
    stream.on('error', (error) => fail(isPlainAnswer(error) ? goPlainAnswer : connection.describe(error)));
    // Node reports errors of the underlying connection only on that connection.
    if (stream !== connection.socket) connection.socket.on('error', (error) => fail(connection.describe(error)));
    time.start(() => fail(timeoutText(connection, reader)));
    stream.write(headOf(request));
  });
}

function headOf({ path, headers }: HttpGetRequest): string {
  const closing = asksToClose(headers) ? [] : [['Connection', 'close'] as const];
  const lines = [...headers, ...closing].map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** As Go, which asks the server to close the connection besides what the probe says, unless that means it already. */
function asksToClose(headers: HttpGetRequest['headers']): boolean {
  const connection = headers.filter(([name]) => name === 'Connection').map(([, value]) => value.toLowerCase());
  const says = (value: string | undefined, word: string): boolean =>
    value?.split(',').some((part) => part.trim() === word) ?? false;
  const upgrades = headers.some(([name, value]) => name === 'Upgrade' && value !== '');
  return says(connection[0], 'close') || (upgrades && connection.some((value) => says(value, 'upgrade')));
}

function timeoutText({ isConnected, host, port }: ProbeConnection, { inBody }: HttpResponseReader): string {
  if (inBody) return 'context deadline exceeded (Client.Timeout or context cancellation while reading body)';
  const reason = isConnected ? 'context deadline exceeded' : goDialTimeout(host, port);
  return `${reason} (Client.Timeout exceeded while awaiting headers)`;
}

// Certificates are not verified: a probe checks health, not identity.
function overTls({ socket }: ProbeConnection, host: string): Socket {
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({
    socket,
    rejectUnauthorized: false,
    ciphers: goCipherSuites,
    ALPNProtocols: ['http/1.1'],
    ...servername,
  });
}
