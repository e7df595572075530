import { connect as connectHttp2, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { KubeletError, messageOf } from '@podwright/errors';
import { withDeadline } from '@podwright/concurrency';
import { abortError, onAbort, type Clock } from '@podwright/time';
import type { GrpcMethod } from './client-calls.js';
import { ConnectionEnd } from './connection-end.js';
import { dialFailure } from './connection-failure.js';
import { frameOf, MessageReader } from './message-frames.js';
import { wasNotBegun } from './remote-status.js';
import { RunningCall } from './running-call.js';

export interface SocketClientOptions {
  readonly clock: Clock;
  /** A longer message fails its call with `resource-exhausted`. */
  readonly maxAnswerBytes: number;
  readonly connectTimeoutMs: number;
}

export interface SocketCallOptions {
  readonly signal?: AbortSignal | undefined;
  /** The server gets it, too. 0 or absent = none. */
  readonly timeoutMs?: number;
  /** Further headers, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

// What waits for its reader, of one call and of all: a server that sends faster has to wait.
const [callWindowBytes, windowBytes] = [256 * 1024, 1024 * 1024];

/**
 * Calls over one connection to a unix socket, on Node's own HTTP/2: half of the processor time of grpc-js for a call, which
 * matters for a server that is asked many times a second. The first call connects, and so does the next one after the
 * connection was lost; when nobody accepts, it fails at once with `unavailable`. A call is repeated only when
 * the server says that it has not begun it.
 * Source of the protocol: grpc/doc/PROTOCOL-HTTP2.md; of the texts: google.golang.org/grpc.
 */
export class SocketClient {
  private session: ClientHttp2Session | undefined;
  private opening: Promise<ClientHttp2Session> | undefined;
  private closed = false;
  private readonly running = new Set<(error: KubeletError) => void>();
  private readonly ends = new WeakMap<ClientHttp2Session, ConnectionEnd>();

  constructor(
    readonly socketPath: string,
    private readonly options: SocketClientOptions,
  ) {}

  async unary<Request, Answer>(
    { path, encode, decode }: GrpcMethod<Request, Answer>,
    request: Request,
    options: SocketCallOptions = {},
  ): Promise<Answer> {
    const message = encode(request);
    const answer = await this.exchange(path, message, options).catch((error: unknown) => {
      if (!wasNotBegun(error)) throw error;
      return this.exchange(path, message, options);
    });
    return decoded(decode, answer);
  }

  private async exchange(path: string, message: Buffer, options: SocketCallOptions): Promise<Buffer> {
    const call = await this.begin(path, message, options);
    let answer: Buffer | undefined;
    try {
      call.stream.on('data', (chunk: Buffer) => {
        try {
          for (const message of call.reader.read(chunk)) answer = message;
        } catch (error) {
          call.end(KubeletError.from(error));
        }
      });
      await call.ended;
      if (answer === undefined) throw new KubeletError('the server answered without a message', { code: 'internal' });
      return answer;
    } finally {
      call.release();
    }
  }

  /** Yields messages as fast as the loop takes them; leaving the loop cancels the call. */
  async *stream<Request, Answer>(
    { path, encode, decode }: GrpcMethod<Request, Answer>,
    request: Request,
    options: SocketCallOptions = {},
  ): AsyncGenerator<Answer, void, undefined> {
    const call = await this.begin(path, encode(request), options);
    // A loop that is between two messages learns of the end with the next one.
    call.ended.catch(() => undefined);
    try {
      for await (const piece of call.pieces())
        for (const message of call.reader.read(piece)) yield decoded(decode, message);
      await call.ended;
    } finally {
      call.end(new KubeletError('Call cancelled', { code: 'cancelled' }));
      call.release();
    }
  }

  /** Resolves when the socket accepts a connection; rejects with the system's error (ENOENT, EACCES, ECONNREFUSED). */
  async probe(): Promise<void> {
    (await this.dial()).destroy();
  }

  /** Ends the connection; running and later calls reject with `cancelled`. May be called twice. */
  close(): void {
    this.closed = true;
    for (const end of [...this.running]) end(this.refusal());
    this.session?.destroy();
    this.session = undefined;
  }

  private refuse(signal: AbortSignal | undefined): void {
    if (signal?.aborted === true) throw abortError(signal);
    if (this.closed) throw this.refusal();
  }

  private refusal(): KubeletError {
    return new KubeletError(`the connection to ${this.socketPath} is closed`, { code: 'cancelled' });
  }

  private async begin(path: string, message: Buffer, options: SocketCallOptions): Promise<RunningCall> {
    const { clock, maxAnswerBytes } = this.options;
    const { signal, timeoutMs = 0, headers } = options;
    this.refuse(signal);
    const deadlineMs = timeoutMs > 0 ? clock.now() + timeoutMs : Infinity;
    const session = this.isUsable() ?? (await this.opened(timeoutMs, signal));
    this.refuse(signal);
    const leftMs = Math.max(1, deadlineMs - clock.now());
    let stream: ClientHttp2Stream;
    try {
      stream = session.request({
        ':method': 'POST',
        ':path': path,
        ':authority': 'localhost',
        'content-type': 'application/grpc',
        te: 'trailers',
        ...(deadlineMs !== Infinity && { 'grpc-timeout': timeoutText(leftMs) }),
        ...headers,
      });
    } catch (error) {
      throw new KubeletError(messageOf(error), { code: 'unavailable', cause: error });
    }
    stream.end(frameOf(message));
    return new RunningCall(stream, {
      reader: new MessageReader(maxAnswerBytes),
      isOver: () => clock.now() >= deadlineMs,
      lost: () => this.ends.get(session)?.words(),
      running: this.running,
      watch: (end) => {
        const unlisten = onAbort(signal, () => end(abortError(signal as AbortSignal)));
        const timer = deadlineMs === Infinity ? undefined : clock.setTimer(leftMs, () => end(deadlineExceeded()));
        return () => {
          unlisten();
          timer?.cancel();
        };
      },
    });
  }

  private isUsable(): ClientHttp2Session | undefined {
    const { session } = this;
    return session === undefined || session.closed || session.destroyed ? undefined : session;
  }

  private opened(timeoutMs: number, signal: AbortSignal | undefined): Promise<ClientHttp2Session> {
    const { clock, connectTimeoutMs } = this.options;
    const opening = (this.opening ??= this.open().finally(() => (this.opening = undefined)));
    return withDeadline(clock, timeoutMs > 0 ? timeoutMs : connectTimeoutMs, () => opening, signal).catch(
      (error: unknown) => {
        this.refuse(signal);
        throw KubeletError.from(error).code === 'deadline-exceeded' ? deadlineExceeded() : error;
      },
    );
  }

  private async open(): Promise<ClientHttp2Session> {
    const socket = await this.dial().catch((error: unknown) => {
      throw new KubeletError(dialFailure(this.socketPath, error), { code: 'unavailable', cause: error });
    });
    const session = connectHttp2('http://localhost', {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: callWindowBytes },
      // MB. Node would refuse new streams at 10 MB of answers that wait for their readers.
      maxSessionMemory: 64,
    });
    this.ends.set(session, new ConnectionEnd(session, socket, this.socketPath));
    // Node tells of the connection in the next tick, also when the session has ended meanwhile.
    session.once('connect', () => {
      if (!session.destroyed) session.setLocalWindowSize(windowBytes);
    });
    const gone = (): void => {
      if (this.session === session) this.session = undefined;
    };
    session.once('goaway', gone).once('close', gone);
    // Its calls report it.
    session.on('error', gone);
    if (this.closed) session.destroy();
    else this.session = session;
    return session;
  }

  private dial(): Promise<Socket> {
    const { clock, connectTimeoutMs } = this.options;
    return new Promise((resolve, reject) => {
      const socket = connect(this.socketPath);
      const settle = (error?: Error): void => {
        timer.cancel();
        socket.removeAllListeners();
        if (error === undefined) return resolve(socket);
        socket.destroy();
        reject(error);
      };
      const timer = clock.setTimer(connectTimeoutMs, () =>
        settle(new KubeletError(`no connection within ${connectTimeoutMs} ms`, { code: 'deadline-exceeded' })),
      );
      socket.once('connect', () => settle()).once('error', settle);
    });
  }
}

function decoded<Answer>(decode: (bytes: Buffer) => Answer, bytes: Buffer): Answer {
  try {
    return decode(bytes);
  } catch (cause) {
    const message = `grpc: failed to unmarshal the received message: ${messageOf(cause)}`;
    throw new KubeletError(message, { code: 'internal', cause });
  }
}

function deadlineExceeded(): KubeletError {
  return new KubeletError('context deadline exceeded', { code: 'deadline-exceeded' });
}

/** At most eight digits and a unit. */
function timeoutText(timeoutMs: number): string {
  const ms = Math.ceil(timeoutMs);
  return ms < 1e8 ? `${ms}m` : `${Math.min(Math.ceil(ms / 1_000), 99_999_999)}S`;
}
