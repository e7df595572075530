import { KubeletError } from '@podwright/errors';
import { abortReason, onAbort, type Clock } from '@podwright/time';
import type { Socket } from 'node:net';
import { closeGently } from '../proxy/close-gently.js';
import { SpdyFrameParser } from './frame-parser.js';
import { dataHead, goAway, pingFrame, rstStream, synStream } from './frames.js';
import { HeaderBlocks } from './header-blocks.js';
import type { SpdyStream, StreamEnd, StreamRequest } from './spdy-stream.js';

// Upstream's numbers: pings every 5 s, 30 s for the answer to a new stream.
const pingPeriodMs = 5_000;
const replyTimeoutMs = 30_000;
// Above this, pings are neither sent nor answered: the runtime reads nothing.
const maxUnreadBytes = 256 * 1_024;

interface ClientStream extends SpdyStream {
  replied: boolean;
  finished: boolean;
  readonly onData: (bytes: Buffer) => void;
  settle(end: StreamEnd): void;
}

/**
 * A SPDY/3.1 client as Kubernetes needs it: it opens a few streams at the start, ignores the peer's headers, and relies
 * on TCP back-pressure because the peers ignore SPDY's flow control. Source: kubernetes v1.36
 * staging/src/k8s.io/streaming/pkg/httpstream/spdy/connection.go, github.com/moby/spdystream.
 */
export class SpdyClient {
  private readonly streams = new Map<number, ClientStream>();
  private readonly headers = new HeaderBlocks();
  private readonly stopping = new AbortController();
  private onReply: () => void = () => undefined;
  private brokenBy: string | undefined;
  // True, so that the first tick, which comes at once, sends no ping: upstream sends its first after one period.
  private heard = true;
  private paused = false;

  constructor(
    private readonly socket: Socket,
    private readonly clock: Clock,
  ) {}

  /**
   * Opens streams; resolves when the runtime has accepted all, rejects with `internal` or the signal's reason. `rest`:
   * bytes after the 101 answer.
   */
  async open(requests: readonly StreamRequest[], rest: Buffer, signal: AbortSignal): Promise<readonly SpdyStream[]> {
    const streams = requests.map((request, index) => this.add(2 * index + 1, request));
    const answered = this.replies(streams, signal);
    this.read(rest);
    void this.clock.every(pingPeriodMs, this.pinger(), this.stopping.signal);
    await answered;
    return streams;
  }

  onDrain(listener: () => void): void {
    this.socket.on('drain', listener);
  }

  pause(): void {
    this.paused = true;
    this.socket.pause();
  }

  resume(): void {
    this.paused = false;
    this.socket.resume();
  }

  /** Sends GOAWAY, waits up to `limitMs` for the runtime to close the connection, then closes it. Never rejects. */
  close(limitMs: number, signal: AbortSignal): Promise<void> {
    this.lose('closed');
    return closeGently(this.socket, this.clock, limitMs, signal, goAway());
  }

  private add(id: number, { headers, onData = () => undefined }: StreamRequest): ClientStream {
    let settle: (end: StreamEnd) => void = () => undefined;
    const end = new Promise<StreamEnd>((resolve) => (settle = resolve));
    const { socket } = this;
    const stream: ClientStream = {
      id,
      end,
      settle,
      replied: false,
      finished: false,
      onData,
      write: (bytes) => {
        if (stream.finished || socket.writableEnded || socket.destroyed) return true;
        socket.write(dataHead(id, bytes.length));
        return socket.write(bytes);
      },
      finish: () => {
        if (stream.finished || socket.writableEnded || socket.destroyed) return;
        stream.finished = true;
        socket.write(dataHead(id, 0, true));
      },
    };
    this.streams.set(id, stream);
    socket.write(synStream(id, this.headers.next(headers)));
    return stream;
  }

  private replies(streams: readonly ClientStream[], signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: Error): void => {
        timer.cancel();
        unsubscribe();
        this.onReply = () => undefined;
        if (error === undefined) resolve();
        else reject(error);
      };
      const timer = this.clock.setTimer(replyTimeoutMs, () => settle(failure('Timeout occurred')));
      const unsubscribe = onAbort(signal, () => settle(abortReason(signal)));
      this.onReply = () => {
        if (this.brokenBy !== undefined) settle(failure(this.brokenBy));
        else if (streams.every(({ replied }) => replied)) settle();
        else if (streams.some(({ id, replied }) => !replied && !this.streams.has(id))) settle(failure('Stream reset'));
      };
    });
  }

  private read(rest: Buffer): void {
    const { socket } = this;
    const parser = new SpdyFrameParser({
      opened: (id) => void socket.write(rstStream(id)),
      replied: (id) => {
        const stream = this.streams.get(id);
        if (stream !== undefined) stream.replied = true;
        this.onReply();
      },
      data: (id, bytes) => this.streams.get(id)?.onData(bytes),
      finished: (id) => this.ended(id),
      reset: (id) => this.ended(id),
      // Even numbers are the runtime's own pings.
      ping: (id) => {
        if (id % 2 === 0 && socket.writableLength < maxUnreadBytes && !socket.writableEnded)
          socket.write(pingFrame(id));
      },
      goneAway: () => this.endAll('ended'),
      violation: (reason) => this.lose(`the runtime broke the protocol: ${reason}`),
    });
    const lost = (): void => this.lose('unexpected EOF');
    socket
      .on('error', (error) => this.lose(error.message))
      .once('end', lost)
      .once('close', lost);
    if (socket.closed) return lost();
    socket.on('data', (chunk: Buffer) => {
      this.heard = true;
      parser.push(chunk);
    });
    socket.resume(); // readResponseHead() has paused it
    parser.push(rest);
  }

  private ended(id: number): void {
    const stream = this.streams.get(id);
    this.streams.delete(id);
    stream?.settle('ended');
    this.onReply();
  }

  private endAll(end: StreamEnd): void {
    for (const [id, stream] of this.streams) {
      this.streams.delete(id);
      stream.settle(end);
    }
    this.onReply();
  }

  private lose(why: string): void {
    this.brokenBy ??= why;
    this.stopping.abort();
    this.endAll('lost');
  }

  /**
   * Pings keep an idle connection alive. A connection that received data since the last tick needs none. Nor does a
   * paused one get a ping: the runtime may have closed already and would answer with a reset, which discards its unread
   * data.
   */
  private pinger(): () => void {
    let id = 1;
    return () => {
      if (!this.heard && !this.paused && !this.socket.writableEnded && this.socket.writableLength < maxUnreadBytes) {
        this.socket.write(pingFrame(id));
        id = (id + 2) % 0x7fff_fffe;
      }
      this.heard = false;
    };
  }
}

const failure = (message: string): KubeletError => new KubeletError(message, { code: 'internal' });
