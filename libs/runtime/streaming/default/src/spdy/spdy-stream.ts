/** How a stream came to its end: the peer said its last or withdrew it, or the whole connection broke. */
export type StreamEnd = 'ended' | 'lost';

/** A stream to open. */
export interface StreamRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** What the peer says on it, piece by piece; the buffer may be kept. Default: dropped. */
  readonly onData?: (bytes: Buffer) => void;
}

/** One stream of a {@link SpdyClient}. */
export interface SpdyStream {
  readonly id: number;
  /** The peer says no more on it. */
  readonly end: Promise<StreamEnd>;
  /** False: the runtime reads slowly, wait for the connection's drain. Bytes after `finish` are dropped. */
  write(bytes: Buffer): boolean;
  /** Nothing more comes from this side. May come twice. */
  finish(): void;
}
