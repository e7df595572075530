// SPDY/3.1 section 2.6.5: control bit and version, type PING, no flags, four bytes of payload.
const pingHead = Buffer.from([0x80, 0x03, 0x00, 0x06, 0x00, 0x00, 0x00, 0x04]);
const pingBytes = 12;
const headBytes = 8;
const nothing = Buffer.alloc(0);

/**
 * Takes PING frames out of a client's SPDY bytes, in whatever pieces they come. Everything else goes through unchanged
 * and at once, but for pieces that may be the beginning of a PING.
 */
export class PingFilter {
  /** Bytes of the current frame's head, at most {@link pingBytes}. */
  private head: number[] = [];
  /** What the current frame has left behind its head. */
  private left = 0;
  /** The beginning of what may become a PING, from earlier pieces. */
  private withheld: Buffer = nothing;

  /** Returns the pieces to send on. `take` decides about each PING: true when it keeps the frame. */
  push(chunk: Buffer, take: (frame: Buffer) => boolean): readonly Buffer[] {
    const pieces: Buffer[] = [];
    let from = 0;
    let frameAt = 0;
    for (let at = 0; at < chunk.length;) {
      if (this.left > 0) {
        const size = Math.min(this.left, chunk.length - at);
        this.left -= size;
        at += size;
        continue;
      }
      if (this.head.length === 0) frameAt = at;
      this.head.push(chunk[at] ?? 0);
      at += 1;
      if (!this.isPing()) {
        pieces.push(this.withheld);
        this.withheld = nothing;
        if (this.head.length === headBytes) this.endHead();
      } else if (this.head.length === pingBytes) {
        if (take(Buffer.from(this.head))) {
          pieces.push(chunk.subarray(from, frameAt));
          from = at;
        } else {
          pieces.push(this.withheld);
        }
        this.withheld = nothing;
        this.head = [];
      }
    }
    if (this.head.length > 0 && this.isPing()) {
      pieces.push(chunk.subarray(from, frameAt));
      this.withheld = Buffer.from(this.head);
      from = chunk.length;
    }
    return [...pieces, chunk.subarray(from)].filter(({ length }) => length > 0);
  }

  /** What is left when the client sends no more. */
  end(): Buffer {
    const rest = this.withheld;
    this.withheld = nothing;
    return rest;
  }

  private isPing(): boolean {
    return this.head.every((byte, index) => index >= headBytes || byte === pingHead[index]);
  }

  private endHead(): void {
    this.left = Buffer.from(this.head).readUIntBE(5, 3);
    this.head = [];
  }
}
