import { createServer, type Server, type Socket } from 'node:net';
import type { WebSocket } from 'ws';
import { messageOf } from '@podwright/errors';
import type { ApiClient } from '../client/api-client.js';
import type { CommandIo } from '../command-io.js';
import { failureOf } from '../failure-message.js';

/** One port of this machine that leads to one port of the pod. */
export interface ForwardedPort {
  /** 0 for any free one. */
  readonly local: number;
  readonly remote: number;
}

const dataChannel = 0;
const errorChannel = 1;
// Each channel starts with the port, so that a client with several could tell them apart.
const portBytes = 2;
// How long an answer may pause after the local side has closed its direction.
const lingerMs = 1_000;

/** Listens on `host` and opens a WebSocket to the pod for each connection. Resolves with the port once it listens. */
export async function listen(
  client: ApiClient,
  podPath: string,
  { local, remote }: ForwardedPort,
  host: string,
  io: CommandIo,
): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (connection) => {
    const { port } = server.address() as { readonly port: number };
    void io.out(`Handling connection for ${port}\n`);
    forward(client, podPath, remote, connection, io).catch(async (error: unknown) => {
      connection.destroy();
      await io.err(failureOf(error).text);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(local, host, resolve);
  });
  return { server, port: (server.address() as { readonly port: number }).port };
}

async function forward(
  client: ApiClient,
  podPath: string,
  remote: number,
  connection: Socket,
  { clock, err }: CommandIo,
): Promise<void> {
  // A connection that breaks ends like one that is closed.
  connection.on('error', () => connection.destroy());
  const socket = await client.webSocket(`${podPath}/portforward`, { ports: remote }, ['v4.channel.k8s.io']);
  let linger: { cancel(): void } | undefined;
  const closeLater = (): void => {
    linger?.cancel();
    linger = clock.setTimer(lingerMs, () => socket.close());
  };
  fromPod(
    socket,
    connection,
    () => linger !== undefined && closeLater(),
    (message) => void err(`an error occurred forwarding ${connection.localPort ?? 0} -> ${remote}: ${message}\n`),
  );
  connection.on('data', (bytes) => {
    socket.send(Buffer.concat([Buffer.of(dataChannel), bytes]), () => connection.resume());
    if (socket.bufferedAmount > 0) connection.pause();
  });
  // The protocol cannot half-close; the pod may still be answering.
  connection.once('end', closeLater);
  connection.once('close', () => {
    linger?.cancel();
    socket.close();
  });
  connection.resume();
}

function fromPod(socket: WebSocket, connection: Socket, received: () => void, fault: (message: string) => void): void {
  const pending = new Map([
    [dataChannel, portBytes],
    [errorChannel, portBytes],
  ]);
  socket.on('message', (data) => {
    const bytes = data as Buffer;
    const channel = bytes[0] ?? errorChannel;
    const skip = Math.min(pending.get(channel) ?? 0, bytes.length - 1);
    pending.set(channel, (pending.get(channel) ?? 0) - skip);
    const rest = bytes.subarray(1 + skip);
    if (rest.length === 0) return;
    if (channel === errorChannel) return fault(rest.toString('utf8'));
    received();
    if (connection.write(rest)) return;
    socket.pause();
    connection.once('drain', () => socket.resume());
  });
  socket.once('close', () => connection.end());
  socket.once('error', (error) => {
    fault(messageOf(error));
    connection.destroy();
  });
  socket.resume();
}
