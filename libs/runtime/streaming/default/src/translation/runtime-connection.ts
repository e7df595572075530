import { KubeletError } from '@podwright/errors';
import { onAbort, type Clock } from '@podwright/time';
import type { Socket } from 'node:net';
import { isSpdyUpgrade, type ResponseHead } from '../proxy/response-head.js';
import { abandon, askRuntime } from '../proxy/runtime-upgrade.js';
import type { StreamingUrl } from '../proxy/streaming-url.js';

// In order of preference; `v5` is for WebSockets, but upstream offers it here too.
const protocols = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
];
const redirects = [301, 302, 303, 307, 308];
const maxRefusalBytes = 64 * 1_024;
const refusalTimeoutMs = 10_000;

export interface RemoteCommandConnection {
  readonly socket: Socket;
  /** The protocol that the runtime chose; empty when it chose none, which means the first version. */
  readonly protocol: string;
  /** Bytes that came after its answer. */
  readonly rest: Buffer;
}

export interface ConnectOptions {
  readonly clock: Clock;
  readonly upgradeTimeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Sends the kubelet's own SPDY request to the runtime. Rejects with `internal` and upstream's message; redirects are
 * errors too.
 * Source: kubernetes v1.36 client-go/tools/remotecommand/spdy.go, streaming/pkg/httpstream/spdy/roundtripper.go.
 */
export async function connectSpdy(url: StreamingUrl, options: ConnectOptions): Promise<RemoteCommandConnection> {
  const worded = (words: string): string => `error sending request: Post "${url.text}": ${words}`;
  const { head, socket } = await askRuntime(url, spdyRequest(url), {
    ...options,
    dialFailureText: worded,
    readFailure: worded,
  });
  if (isSpdyUpgrade(head)) {
    return { socket, protocol: head.headers.get('x-stream-protocol-version') ?? '', rest: head.rest };
  }
  if (redirects.includes(head.status) && head.headers.has('location')) {
    abandon(socket);
    throw failure(worded('redirect not allowed'));
  }
  throw failure(`unable to upgrade connection: ${refusalText(await readRefusal(head, socket, options))}`);
}

function spdyRequest(url: StreamingUrl): Buffer {
  const lines = [
    `POST ${url.target} HTTP/1.1`,
    `Host: ${url.authority}`,
    'Content-Length: 0',
    'Connection: Upgrade',
    'Upgrade: SPDY/3.1',
    ...protocols.map((protocol) => `X-Stream-Protocol-Version: ${protocol}`),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function readRefusal(head: ResponseHead, socket: Socket, { clock, signal }: ConnectOptions): Promise<Buffer> {
  const lengthText = head.headers.get('content-length') ?? '';
  const wanted = Math.min(/^\d{1,15}$/.test(lengthText) ? Number(lengthText) : maxRefusalBytes, maxRefusalBytes);
  const chunks = [head.rest];
  let size = head.rest.length;
  return new Promise((resolve) => {
    const done = (): void => {
      timer.cancel();
      unsubscribe();
      abandon(socket);
      resolve(Buffer.concat(chunks).subarray(0, wanted));
    };
    const timer = clock.setTimer(refusalTimeoutMs, done);
    const unsubscribe = onAbort(signal, done);
    if (size >= wanted) return done();
    socket.once('error', done).once('end', done).once('close', done);
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= wanted) done();
    });
    socket.resume(); // readResponseHead() has paused it
  });
}

function refusalText(body: Buffer): string {
  const text = body.toString('utf8').trim();
  const fields = jsonFields(text);
  const said = [fields.message, fields.error].find((field) => typeof field === 'string' && field.trim() !== '');
  if (typeof said === 'string') return said.trim();
  return text === '' ? 'empty server response' : text;
}

function jsonFields(text: string): { readonly message?: unknown; readonly error?: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    // A refusal may be plain text; the caller uses it as it is.
    return {};
  }
}

const failure = (message: string): KubeletError => new KubeletError(message, { code: 'internal' });
