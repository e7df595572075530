import type { AttachSession, ExecSession } from '@podwright/streaming-interface';
import type { SpdyClient } from '../spdy/spdy-client.js';
import type { SpdyStream, StreamRequest } from '../spdy/spdy-stream.js';
import { clientStatus, internalStatus, type ApiStatus } from './api-status.js';

/** Receives the command's output. */
export interface CommandOutput {
  stdout(bytes: Buffer): void;
  stderr(bytes: Buffer): void;
}

/** An exec or attach session with the runtime. */
export interface RemoteCommand {
  readonly stdin: SpdyStream | undefined;
  readonly resize: SpdyStream | undefined;
  /** How it ended; resolves after all output was passed on. Never rejects. */
  readonly outcome: Promise<ApiStatus>;
}

// A status has a few hundred bytes.
const maxStatusBytes = 64 * 1_024;
const withResize = ['v5.channel.k8s.io', 'v4.channel.k8s.io', 'v3.channel.k8s.io'];
const withJsonStatus = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/**
 * Opens the streams of a session in upstream's order and resolves when the runtime has accepted them. Source:
 * kubernetes v1.36 client-go/tools/remotecommand/v2.go, v3.go, v4.go.
 */
export async function startRemoteCommand(
  client: SpdyClient,
  session: ExecSession | AttachSession,
  connection: { readonly protocol: string; readonly rest: Buffer },
  output: CommandOutput,
  signal: AbortSignal,
): Promise<RemoteCommand> {
  const { protocol, rest } = connection;
  const status: Buffer[] = [];
  let statusBytes = 0;
  const stream = (streamType: string, onData?: (bytes: Buffer) => void): StreamRequest => ({
    headers: { streamType },
    ...(onData !== undefined && { onData }),
  });
  const wanted = new Map<string, StreamRequest>();
  wanted.set(
    'error',
    stream('error', (bytes) => {
      statusBytes += bytes.length;
      if (statusBytes <= maxStatusBytes) status.push(bytes);
    }),
  );
  if (session.stdin) wanted.set('stdin', stream('stdin'));
  if (session.stdout)
    wanted.set(
      'stdout',
      stream('stdout', (bytes) => output.stdout(bytes)),
    );
  if (session.stderr && !session.tty)
    wanted.set(
      'stderr',
      stream('stderr', (bytes) => output.stderr(bytes)),
    );
  if (session.tty && withResize.includes(protocol)) wanted.set('resize', stream('resize'));
  const opened = await client.open([...wanted.values()], rest, signal);
  const named = new Map([...wanted.keys()].map((name, index) => [name, opened[index]]));
  const stdin = named.get('stdin');
  // When the runtime closes stdin, it waits for this side to close it too.
  void stdin?.end.then(() => stdin.finish());
  return {
    stdin,
    resize: named.get('resize'),
    outcome: outcomeOf(named, () =>
      clientStatus(Buffer.concat(status).toString('utf8'), withJsonStatus.includes(protocol)),
    ),
  };
}

async function outcomeOf(
  streams: ReadonlyMap<string, SpdyStream | undefined>,
  status: () => ApiStatus,
): Promise<ApiStatus> {
  await streams.get('stdout')?.end;
  await streams.get('stderr')?.end;
  const end = await streams.get('error')?.end;
  const said = status();
  // Upstream reports success when the connection breaks without a status; the command may have failed, so we do not.
  if (end === 'lost' && said.status === 'Success') {
    return internalStatus('error reading from error stream: unexpected EOF');
  }
  return said;
}
