import type { AttachSession, ExecSession } from '@podwright/streaming-interface';
import type { SpdyClient } from '../spdy/spdy-client.js';
import type { SpdyStream, StreamRequest } from '../spdy/spdy-stream.js';
import { clientStatus, internalStatus, type ApiStatus } from './api-status.js';

/** Where the command's output goes. */
export interface CommandOutput {
  stdout(bytes: Buffer): void;
  stderr(bytes: Buffer): void;
}

/** A command or an attachment that runs at the runtime. */
export interface RemoteCommand {
  readonly stdin: SpdyStream | undefined;
  readonly resize: SpdyStream | undefined;
  /** All output has been handed out, and this is how it ended. Never rejects. */
  readonly outcome: Promise<ApiStatus>;
}

// A status is some hundred bytes.
const maxStatusBytes = 64 * 1_024;
const withResize = ['v5.channel.k8s.io', 'v4.channel.k8s.io', 'v3.channel.k8s.io'];
const withJsonStatus = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/**
 * Opens the streams of a session, in upstream's order, and follows it to its end. Source: kubernetes v1.36
 * client-go/tools/remotecommand/v2.go, v3.go, v4.go.
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
  // The runtime waits for the end of both directions of a stream that it has closed.
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
  // A runtime that is gone has not said that the command succeeded; upstream takes it for that.
  if (end === 'lost' && said.status === 'Success') {
    return internalStatus('error reading from error stream: unexpected EOF');
  }
  return said;
}
