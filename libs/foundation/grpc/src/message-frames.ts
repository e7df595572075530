import { KubeletError } from '@podwright/errors';

// Whether it is compressed, and its length.
const headBytes = 5;

/** A message as it goes over the wire, not compressed. */
export function frameOf(message: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(headBytes + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  message.copy(frame, headBytes);
  return frame;
}

/** Reads the messages of an answer from the pieces in which it comes. */
export class MessageReader {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** True when a part of a message has come and the rest has not. */
  get isAmid(): boolean {
    return this.waitingBytes > 0;
  }

  /**
   * The messages that are whole with this piece. Throws `resource-exhausted` for one that is too long, `internal` for a
   * compressed one.
   */
  read(piece: Buffer): readonly Buffer[] {
    this.waiting.push(piece);
    this.waitingBytes += piece.length;
    const messages: Buffer[] = [];
    while (this.waitingBytes >= headBytes) {
      const length = this.lengthOfNext();
      if (this.waitingBytes < headBytes + length) break;
      const bytes = this.joined();
      messages.push(bytes.subarray(headBytes, headBytes + length));
      const rest = bytes.subarray(headBytes + length);
      this.waiting = rest.length === 0 ? [] : [rest];
      this.waitingBytes = rest.length;
    }
    return messages;
  }

  private lengthOfNext(): number {
    const [first = Buffer.alloc(0)] = this.waiting;
    const head = first.length >= headBytes ? first : this.joined();
    const length = head.readUInt32BE(1);
    if (head[0] !== 0) {
      throw new KubeletError('grpc: compressed flag set with identity or empty encoding', { code: 'internal' });
    }
    if (length <= this.maxBytes) return length;
    throw new KubeletError(`grpc: received message larger than max (${length} vs. ${this.maxBytes})`, {
      code: 'resource-exhausted',
    });
  }

  private joined(): Buffer {
    if (this.waiting.length > 1) this.waiting = [Buffer.concat(this.waiting, this.waitingBytes)];
    return this.waiting[0] ?? Buffer.alloc(0);
  }
}
