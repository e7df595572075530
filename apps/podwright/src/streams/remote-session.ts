import type { ApiStatus } from '@podwright/kube-types';
import type { WebSocket } from 'ws';
import { ApiError } from '../client/api-error.js';
import type { CommandIo } from '../command-io.js';
import { CommandError } from '../command-error.js';
import { DetachKeys } from './detach-keys.js';
import { withRawTerminal, type Terminal } from './terminal.js';

/** The subprotocols of exec and attach, the preferred one first. Only v5 can say that stdin has ended. */
export const sessionProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;
const utf8 = new TextEncoder();

export interface SessionOptions {
  readonly stdin: boolean;
  /** The terminal in raw mode; undefined for sessions without one. */
  readonly terminal: Terminal | undefined;
  /** Keys that end the session and leave the container alone. */
  readonly detachKeys?: readonly number[];
  /** Announces a larger window first, so that the program draws its screen again. */
  readonly redraw?: boolean;
}

/**
 * Joins the user's streams to a container over a WebSocket. Resolves when the command has ended well or the user has
 * detached. @throws CommandError with the command's exit code, ApiError for other failures.
 * Source: kubernetes v1.36 client-go/tools/remotecommand/websocket.go, v5.go.
 */
export async function runSession(
  socket: WebSocket,
  io: CommandIo,
  options: SessionOptions,
): Promise<'ended' | 'detached'> {
  const { terminal, stdin, redraw = false } = options;
  return withRawTerminal(terminal, async () => {
    const send = (channel: number, bytes: Uint8Array): void => socket.send(Buffer.concat([Buffer.of(channel), bytes]));
    const stops: (() => void)[] = [];
    try {
      const ended = outcome(socket, io);
      const detached = stdin ? copyStdin(socket, io, options, send, stops) : new Promise<never>(() => undefined);
      if (terminal !== undefined) {
        const size = (plus = 0): void => sendSize(terminal, plus, (bytes) => send(channels.resize, bytes));
        if (redraw) size(1);
        size();
        stops.push(terminal.onResize(size));
      }
      const status = await Promise.race([ended, detached]);
      if (status === 'detached') return 'detached';
      throwUnlessSuccess(status);
      return 'ended';
    } finally {
      for (const stop of stops) stop();
      socket.close();
    }
  });
}

function sendSize(terminal: Terminal, plus: number, send: (bytes: Uint8Array) => void): void {
  const size = terminal.size();
  if (size === undefined) return;
  send(utf8.encode(JSON.stringify({ Width: size.columns + plus, Height: size.rows + plus })));
}

function copyStdin(
  socket: WebSocket,
  { stdin }: CommandIo,
  { detachKeys }: SessionOptions,
  send: (channel: number, bytes: Uint8Array) => void,
  stops: (() => void)[],
): Promise<'detached'> {
  const keys = detachKeys === undefined ? undefined : new DetachKeys(detachKeys);
  return new Promise((resolve) => {
    const onData = (bytes: Buffer): void => {
      const read = keys?.read(bytes) ?? { send: bytes, detached: false };
      if (read.detached) return resolve('detached');
      send(channels.stdin, read.send);
      // A container that does not read must not fill this process.
      if (socket.bufferedAmount > highWaterBytes) {
        stdin.pause();
        socket.send(Buffer.of(channels.stdin), () => stdin.resume());
      }
    };
    const onEnd = (): void => {
      if (socket.protocol === sessionProtocols[0]) send(channels.close, Uint8Array.of(channels.stdin));
    };
    stdin.on('data', onData).once('end', onEnd);
    stops.push(() => stdin.off('data', onData).off('end', onEnd).pause());
  });
}

const highWaterBytes = 1024 * 1024;

/** The session's status; rejects when the connection breaks before there is one, or the user interrupts. */
function outcome(socket: WebSocket, io: CommandIo): Promise<ApiStatus> {
  return new Promise((resolve, reject) => {
    let written = Promise.resolve();
    let status: ApiStatus | undefined;
    socket.on('message', (data) => {
      const bytes = data as Buffer;
      const rest = bytes.subarray(1);
      if (bytes[0] === channels.error && rest.length > 0) status = JSON.parse(rest.toString('utf8')) as ApiStatus;
      const write = bytes[0] === channels.stdout ? io.out : bytes[0] === channels.stderr ? io.err : undefined;
      if (write === undefined || rest.length === 0) return;
      // One message at a time: a slow terminal slows the container.
      socket.pause();
      written = written.then(() => write.call(io, rest)).then(() => socket.resume());
      written.catch(reject);
    });
    socket.once('close', () => {
      const broken = new CommandError('the connection to the container was lost');
      void written.then(() => (status === undefined ? reject(broken) : resolve(status)));
    });
    socket.once('error', reject);
    io.signal.addEventListener('abort', () => reject(io.signal.reason as Error), { once: true });
    socket.resume();
  });
}

function throwUnlessSuccess(status: ApiStatus): void {
  if (status.status === 'Success') return;
  const code = status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
  if (status.reason === 'NonZeroExitCode' && code !== undefined) {
    throw new CommandError(`command terminated with exit code ${code}`, { exitCode: Number(code), bare: true });
  }
  throw new ApiError(status);
}
