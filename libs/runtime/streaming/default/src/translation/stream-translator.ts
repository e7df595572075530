import { abortable } from '@podwright/concurrency';
import { messageOf } from '@podwright/errors';
import type { AttachSession, ExecSession, UpgradeRequest } from '@podwright/streaming-interface';
import { linkSignals } from '@podwright/time';
import { closeGently } from '../proxy/close-gently.js';
import { IdleWatch } from '../proxy/idle-watch.js';
import type { StreamingUrl } from '../proxy/streaming-url.js';
import type { SessionOptions } from '../proxy/transparent-proxy.js';
import { lingerMs } from '../proxy/tunnel.js';
import { SpdyClient } from '../spdy/spdy-client.js';
import { acceptUpgrade } from '../websocket/accept-upgrade.js';
import { refusedTranslation } from '../websocket/handshake-refusal.js';
import { ServerWebSocket } from '../websocket/server-web-socket.js';
import { internalStatus, type ApiStatus } from './api-status.js';
import { channels, ClientChannels } from './client-channels.js';
import { startRemoteCommand, type RemoteCommand } from './remote-command.js';
import { connectSpdy } from './runtime-connection.js';
import { TerminalSizes } from './terminal-sizes.js';

/** The only exec and attach subprotocol that the kubelet translates; the runtime serves all others itself. */
export const translatedProtocol = 'v5.channel.k8s.io';

const empty = Buffer.alloc(0);

/**
 * Accepts the client's WebSocket and translates it to SPDY/3.1 for the runtime. Never rejects: answers a bad handshake
 * itself, and reports every later failure on the error channel. Source: kubernetes v1.36
 * apiserver/pkg/util/proxy/streamtranslator.go, websocket.go.
 */
export async function translateStreams(
  session: ExecSession | AttachSession,
  request: UpgradeRequest,
  url: StreamingUrl,
  options: SessionOptions,
): Promise<void> {
  const { clock, idleTimeoutMs, signal } = options;
  const refused = refusedTranslation(request);
  if (refused !== undefined) return closeGently(request.socket, clock, lingerMs, signal, refused);
  const gone = linkSignals(signal);
  const idle = new IdleWatch(clock, idleTimeoutMs, () => gone.abort());
  let client: SpdyClient | undefined;
  let command: RemoteCommand | undefined;
  const channelsIn = new ClientChannels({
    stdin: (bytes) => {
      if (command?.stdin?.write(bytes) === false) socket.pause();
    },
    resize: (bytes) => {
      for (const size of sizes.push(bytes)) command?.resize?.write(Buffer.from(size));
    },
    stdinClosed: () => command?.stdin?.finish(),
    violation: () => socket.hangUp(),
  });
  const sizes = new TerminalSizes();
  const socket = new ServerWebSocket(request.socket, {
    message: () => {
      idle.seen();
      channelsIn.message();
    },
    data: (bytes) => channelsIn.data(bytes),
    messageEnd: () => channelsIn.messageEnd(),
    ended: () => {
      command?.stdin?.finish();
      gone.abort();
    },
  });
  const send = (channel: number, bytes: Buffer): void => {
    idle.seen();
    if (!socket.send(Buffer.from([channel]), bytes)) client?.pause();
  };
  request.socket.write(acceptUpgrade(request, translatedProtocol));
  // An empty message on the first channel that the client reads tells it that the connection is open.
  send(session.stdout ? channels.stdout : session.stderr ? channels.stderr : channels.error, empty);
  try {
    const run = async (): Promise<ApiStatus> => {
      const connection = await connectSpdy(url, { ...options, signal: gone.signal });
      const spdy = (client = new SpdyClient(connection.socket, clock));
      spdy.onDrain(() => socket.resume());
      socket.onDrain(() => spdy.resume());
      const output = {
        stdout: (bytes: Buffer) => send(channels.stdout, bytes),
        stderr: (bytes: Buffer) => send(channels.stderr, bytes),
      };
      command = await startRemoteCommand(spdy, session, connection, output, gone.signal);
      socket.begin(request.head);
      return abortable(command.outcome, gone.signal);
    };
    const status = await run().catch((error: unknown) => internalStatus(messageOf(error)));
    if (!gone.signal.aborted) send(channels.error, Buffer.from(JSON.stringify(status)));
  } finally {
    idle.end();
    gone.dispose();
    await Promise.all([client?.close(lingerMs, signal), socket.close(clock, lingerMs, signal)]);
  }
}
