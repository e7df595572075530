const cell = new Uint32Array(2);
const signedCell = new BigInt64Array(cell.buffer);

/** Writes the protocol buffers wire format; generated code uses it. Tag 0 writes no tag, for packed fields. */
export class Writer {
  private buffer = Buffer.allocUnsafe(256);
  private pos = 0;

  /** The message. It shares the writer's memory: copy it before writing again. */
  finish(): Buffer {
    return this.buffer.subarray(0, this.pos);
  }

  /** Bytes written so far. */
  get size(): number {
    return this.pos;
  }

  /** Returns a copy of the bytes since the last call, and reuses the memory. */
  take(): Uint8Array {
    const taken = Uint8Array.from(this.finish());
    this.pos = 0;
    return taken;
  }

  /** Starts a length-delimited field; pass the returned position to `close`. */
  open(tag: number): number {
    this.uint(tag);
    this.reserve(5);
    return ++this.pos;
  }

  close(at: number): void {
    const length = this.pos - at;
    if (length < 128) {
      this.buffer[at - 1] = length;
      return;
    }
    // `open` reserved one byte for the length; a longer length moves the content.
    const more = length < 1 << 14 ? 1 : length < 1 << 21 ? 2 : length < 1 << 28 ? 3 : 4;
    this.reserve(more);
    this.buffer.copyWithin(at + more, at, this.pos);
    const end = this.pos + more;
    this.pos = at - 1;
    this.uint(length);
    this.pos = end;
  }

  string(tag: number, value: string): void {
    this.uint(tag);
    const length = Buffer.byteLength(value);
    this.uint(length);
    this.reserve(length);
    this.pos += this.buffer.write(value, this.pos, length, 'utf8');
  }

  bytes(tag: number, value: Uint8Array): void {
    this.uint(tag);
    this.uint(value.length);
    this.reserve(value.length);
    this.buffer.set(value, this.pos);
    this.pos += value.length;
  }

  bool(tag: number, value: boolean): void {
    this.uint(tag);
    this.uint(value ? 1 : 0);
  }

  uint32(tag: number, value: number): void {
    if (tag !== 0) this.uint(tag);
    this.uint(value);
  }

  int32(tag: number, value: number): void {
    if (tag !== 0) this.uint(tag);
    // A negative number takes ten bytes, as a 64-bit number does.
    if (value < 0) this.varint(value >>> 0, 0xffffffff);
    else this.uint(value);
  }

  int64(tag: number, value: bigint): void {
    if (tag !== 0) this.uint(tag);
    signedCell[0] = value;
    this.varint(cell[0] as number, cell[1] as number);
  }

  uint64(tag: number, value: bigint): void {
    this.int64(tag, value);
  }

  double(tag: number, value: number): void {
    this.uint(tag);
    this.reserve(8);
    this.pos = this.buffer.writeDoubleLE(value, this.pos);
  }

  stringMap(tag: number, map: Readonly<Record<string, string | undefined>>): void {
    for (const [key, value] of Object.entries(map)) {
      const at = this.open(tag);
      if (key !== '') this.string(10, key);
      if (value !== undefined && value !== '') this.string(18, value);
      this.close(at);
    }
  }

  messageMap<T>(
    tag: number,
    map: Readonly<Record<string, T | undefined>>,
    encode: (writer: Writer, value: T) => void,
  ): void {
    for (const [key, value] of Object.entries(map)) {
      const at = this.open(tag);
      if (key !== '') this.string(10, key);
      if (value !== undefined) {
        const inner = this.open(18);
        encode(this, value);
        this.close(inner);
      }
      this.close(at);
    }
  }

  private uint(value: number): void {
    this.reserve(5);
    let rest = value >>> 0;
    while (rest > 127) {
      this.buffer[this.pos++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.buffer[this.pos++] = rest;
  }

  private varint(low: number, high: number): void {
    this.reserve(10);
    while (high !== 0) {
      this.buffer[this.pos++] = (low & 127) | 128;
      low = ((low >>> 7) | (high << 25)) >>> 0;
      high >>>= 7;
    }
    this.uint(low);
  }

  private reserve(bytes: number): void {
    const needed = this.pos + bytes;
    if (needed <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.buffer.length * 2));
    this.buffer.copy(larger, 0, 0, this.pos);
    this.buffer = larger;
  }
}
