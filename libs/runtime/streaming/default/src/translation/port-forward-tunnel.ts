import { KubeletError } from '@podwright/errors';
import { onAbort } from '@podwright/time';
import type { UpgradeRequest } from '@podwright/streaming-interface';
import type { Socket } from 'node:net';
import { forwardAnswer } from '../proxy/forward-answer.js';
import { IdleWatch } from '../proxy/idle-watch.js';
import { replayedRequest } from '../proxy/replayed-request.js';
import { PingDelay } from '../proxy/ping-delay.js';
import { isSpdyUpgrade } from '../proxy/response-head.js';
import { abandon, askRuntime } from '../proxy/runtime-upgrade.js';
import type { StreamingUrl } from '../proxy/streaming-url.js';
import { invalidUpgrade, type SessionOptions } from '../proxy/transparent-proxy.js';
import { closeGently } from '../proxy/close-gently.js';
import { lingerMs } from '../proxy/tunnel.js';
import { acceptUpgrade, offeredProtocols } from '../websocket/accept-upgrade.js';
import { refusedTunnel } from '../websocket/handshake-refusal.js';
import { ServerWebSocket } from '../websocket/server-web-socket.js';

const tunnelPrefix = 'SPDY/3.1+';
const webSocketHeaders = [
  'sec-websocket-protocol',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-extensions',
  'upgrade',
  'x-stream-protocol-version',
];

/** The offered subprotocols that carry SPDY in WebSocket messages, without the prefix `SPDY/3.1+`. */
export function tunnelledProtocols(request: UpgradeRequest): readonly string[] {
  const offered = offeredProtocols(request).filter((name) => name.startsWith(tunnelPrefix) && name.endsWith('.k8s.io'));
  return offered.map((name) => name.slice(tunnelPrefix.length));
}

/**
 * Tunnels SPDY between the messages of a WebSocket and the runtime. Accepts the WebSocket only after the runtime has
 * accepted SPDY. Rejects only before anything was written to the client. Source: kubernetes v1.36
 * apiserver/pkg/util/proxy/streamtunnel.go, client-go/tools/portforward/tunneling_connection.go.
 */
export async function tunnelPortForward(
  request: UpgradeRequest,
  url: StreamingUrl,
  options: SessionOptions,
): Promise<void> {
  const protocols = tunnelledProtocols(request);
  // Before a session opens at the runtime; upstream looks at the handshake after that.
  const refused = refusedTunnel(request);
  if (refused !== undefined) return closeGently(request.socket, options.clock, lingerMs, options.signal, refused);
  const spdyRequest = replayedRequest(request, url, {
    method: 'POST',
    without: webSocketHeaders,
    add: [
      ['Upgrade', 'SPDY/3.1'],
      ...protocols.map((name): readonly [string, string] => ['X-Stream-Protocol-Version', name]),
    ],
  });
  const { head, socket } = await askRuntime(url, spdyRequest, options);
  if (head.status >= 400) return forwardAnswer(head, socket, request.socket, options);
  if (!isSpdyUpgrade(head)) {
    abandon(socket);
    if (head.status !== 101) throw invalidUpgrade(head.status);
    throw new KubeletError('unable to upgrade: missing upgrade headers in response', { code: 'internal' });
  }
  const chosen = head.headers.get('x-stream-protocol-version') ?? '';
  const accept = acceptUpgrade(request, protocols.includes(chosen) ? `${tunnelPrefix}${chosen}` : undefined);
  request.socket.write(accept);
  await carry(request, socket, head.rest, options);
}

/**
 * Carries data until one side ends or the session is idle; then delivers data that is already written and closes both.
 */
async function carry(request: UpgradeRequest, runtime: Socket, rest: Buffer, options: SessionOptions): Promise<void> {
  const { clock, idleTimeoutMs, signal } = options;
  const over = new AbortController();
  const done = (): void => over.abort();
  const idle = new IdleWatch(clock, idleTimeoutMs, done);
  const client = new ServerWebSocket(request.socket, {
    message: (binary) => {
      if (!binary) client.violated();
    },
    data: (bytes) => {
      idle.seen();
      if (over.signal.aborted || !runtime.writable) return;
      let accepted = true;
      for (const piece of pings.pass(bytes)) accepted = runtime.write(piece);
      if (!accepted) client.pause();
    },
    messageEnd: () => undefined,
    ended: done,
  });
  const pings = new PingDelay(clock, request.socket, runtime);
  let full = false;
  const fromRuntime = (bytes: Buffer): void => {
    idle.seen();
    pings.output();
    full = !client.send(bytes);
    if (full) runtime.pause();
  };
  const ended = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()));
  const unsubscribe = onAbort(signal, done);
  if (signal.aborted) done();
  client.onDrain(() => runtime.resume());
  runtime.on('drain', () => client.resume());
  runtime.on('error', done).once('end', done).once('close', done);
  runtime.on('data', fromRuntime);
  if (!full) runtime.resume(); // readResponseHead() has paused it
  if (rest.length > 0) fromRuntime(rest);
  client.begin(request.head);
  await ended;
  idle.end();
  pings.end();
  unsubscribe();
  await Promise.all([closeGently(runtime, clock, lingerMs, signal), client.close(clock, lingerMs, signal)]);
}
