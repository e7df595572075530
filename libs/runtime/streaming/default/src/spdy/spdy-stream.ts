/** How a stream ended: `ended` by the peer (finished or reset), or `lost` with the whole connection. */
export type StreamEnd = 'ended' | 'lost';

/** A stream to open. */
export interface StreamRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Receives the peer's data in pieces; the buffer may be kept. Default: dropped. */
  readonly onData?: (bytes: Buffer) => void;
}

/** One stream of a {@link SpdyClient}. */
export interface SpdyStream {
  readonly id: number;
  /** Resolves when the peer sends no more on the stream. Never rejects. */
  readonly end: Promise<StreamEnd>;
  /** False: the runtime reads slowly, wait for the connection's drain. Bytes after `finish` are dropped. */
  write(bytes: Buffer): boolean;
  /** Ends this side of the stream. May be called twice. */
  finish(): void;
}
