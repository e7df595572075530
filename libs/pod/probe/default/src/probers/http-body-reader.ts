/** Reads the body of one answer until it ends or enough has arrived. */
export interface BodyReader {
  /** True when the body is complete or enough of it has arrived. Throws when it is malformed. */
  push(piece: Buffer): boolean;
  /** Call it when the connection is closed. Throws `unexpected EOF` when something is missing. */
  end(): void;
  content(): Buffer;
}

const tooEarly = (): never => {
  throw new Error('unexpected EOF');
};

/** A body of `length` bytes. */
export function sizedBody(length: number, limit: number): BodyReader {
  const kept = new KeptBytes(Math.min(length, limit));
  return {
    push: (piece) => kept.add(piece),
    end: () => void (kept.full || tooEarly()),
    content: () => kept.content(),
  };
}

/** A body that ends when the server closes the connection. */
export function unendingBody(limit: number): BodyReader {
  const kept = new KeptBytes(limit);
  return { push: (piece) => kept.add(piece), end: () => undefined, content: () => kept.content() };
}

// Longer than any valid size line.
const maxSizeLineBytes = 256;

/** A chunked body. Does not wait for trailers: they change nothing. */
export function chunkedBody(limit: number): BodyReader {
  const kept = new KeptBytes(limit);
  let pending: Buffer = Buffer.alloc(0);
  let inChunk = 0;
  let complete = false;
  const step = (): boolean => {
    if (inChunk > 0) {
      const part = pending.subarray(0, inChunk);
      pending = pending.subarray(part.length);
      inChunk -= part.length;
      complete ||= kept.add(part);
      return pending.length > 0;
    }
    const lineEnd = pending.indexOf('\n');
    if (lineEnd < 0 || lineEnd > maxSizeLineBytes) {
      if (pending.length > maxSizeLineBytes) throw new Error('http chunk length line too long');
      return false;
    }
    const line = pending.toString('latin1', 0, lineEnd).trim();
    pending = pending.subarray(lineEnd + 1);
    if (line === '') return pending.length > 0; // the end of the previous chunk
    const size = /^([0-9a-f]{1,12})(?:\s*;.*)?$/i.exec(line)?.[1];
    if (size === undefined) throw new Error('invalid byte in chunk length');
    inChunk = Number.parseInt(size, 16);
    complete ||= inChunk === 0;
    return pending.length > 0;
  };
  return {
    push(piece) {
      pending = pending.length === 0 ? piece : Buffer.concat([pending, piece]);
      while (!complete && step());
      return complete;
    },
    end: () => void (complete || tooEarly()),
    content: () => kept.content(),
  };
}

/** Keeps up to `limit` bytes and drops the rest. */
class KeptBytes {
  private readonly pieces: Buffer[] = [];
  private length = 0;

  constructor(private readonly limit: number) {}

  get full(): boolean {
    return this.length >= this.limit;
  }

  /** True when it needs no more. */
  add(piece: Buffer): boolean {
    if (!this.full && piece.length > 0) {
      const part = piece.subarray(0, this.limit - this.length);
      this.pieces.push(part);
      this.length += part.length;
    }
    return this.full;
  }

  content(): Buffer {
    return Buffer.concat(this.pieces);
  }
}
