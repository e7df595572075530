import type { Socket } from 'node:net';
import { dataHead, goAway, HeaderBlocks, pingFrame, SpdyFrameParser, synReply } from '@podwright/streaming';

/** What a session does with its streams, which have the names that were asked for. */
export interface SpdySessionEvents {
  /** The client has opened all of them. */
  ready(): void;
  data(stream: string, bytes: Buffer): void;
  finished(stream: string): void;
}

/**
 * A runtime's end of a SPDY session. Clients open the streams in one order, so the number of a stream tells which it is
 * and their header blocks need not be read. Source: kubernetes v1.36
 * staging/src/k8s.io/client-go/tools/remotecommand/v2.go, v3.go, v4.go.
 */
export class SpdySession {
  private readonly ids = new Map<string, number>();
  private readonly replies = new HeaderBlocks();

  constructor(
    private readonly socket: Socket,
    private readonly streams: readonly string[],
    private readonly events: SpdySessionEvents,
  ) {
    const parser = new SpdyFrameParser({
      opened: (id) => this.opened(id),
      data: (id, bytes) => events.data(this.nameOf(id), bytes),
      finished: (id) => events.finished(this.nameOf(id)),
      replied: () => undefined,
      reset: () => undefined,
      ping: (id) => void (id % 2 === 1 && socket.write(pingFrame(id))),
      goneAway: () => socket.end(),
      violation: () => socket.destroy(),
    });
    socket.on('data', (chunk: Buffer) => parser.push(chunk));
  }

  /** Writes to a stream; does nothing when the client has not asked for it. */
  write(stream: string, text: string): void {
    const id = this.ids.get(stream);
    if (id === undefined || text === '' || !this.socket.writable) return;
    const bytes = Buffer.from(text);
    this.socket.write(dataHead(id, bytes.length));
    this.socket.write(bytes);
  }

  /** Ends all streams and the session. */
  end(): void {
    if (!this.socket.writable) return;
    for (const id of this.ids.values()) this.socket.write(dataHead(id, 0, true));
    this.socket.end(goAway());
  }

  private opened(id: number): void {
    const name = this.streams[this.ids.size];
    if (name === undefined) return;
    this.ids.set(name, id);
    this.socket.write(synReply(id, this.replies.next({})));
    if (this.ids.size === this.streams.length) this.events.ready();
  }

  private nameOf(id: number): string {
    return [...this.ids].find(([, value]) => value === id)?.[0] ?? '';
  }
}
