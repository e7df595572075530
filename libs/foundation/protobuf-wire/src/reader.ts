import { readShortText, longestShared } from './shared-text.js';

export const emptyBytes: Uint8Array = new Uint8Array(0);

// One 64-bit cell, also seen as two 32-bit halves: reading a bigint costs one allocation. Node is always little-endian.
const cell = new Uint32Array(2);
const signedCell = new BigInt64Array(cell.buffer);
const unsignedCell = new BigUint64Array(cell.buffer);

/**
 * Reads the protocol buffers wire format from one message. Generated code uses it, and calls `close` at the end of each
 * message. A malformed message throws a RangeError, at the latest in `close`; no loop runs past the buffer.
 */
export class Reader {
  pos = 0;

  constructor(private readonly buffer: Buffer) {}

  /** Starts a length-delimited field and returns the position of its end. */
  open(): number {
    const end = this.uint32() + this.pos;
    if (end > this.buffer.length) throw malformed('a field is longer than its message');
    return end;
  }

  close(end: number): void {
    if (this.pos !== end) throw malformed('a field crosses the end of its message');
  }

  tag(): number {
    const tag = this.uint32();
    if (tag < 8) throw malformed('field number 0');
    return tag;
  }

  uint32(): number {
    const { buffer } = this;
    let byte = buffer[this.pos++] as number;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      if (shift > 63) throw malformed('a number of more than 10 bytes');
      byte = buffer[this.pos++] as number;
      // Bits beyond 32 are sign extension of a negative int32.
      if (shift < 32) value |= (byte & 127) << shift;
    }
    return value >>> 0;
  }

  int32(): number {
    return this.uint32() | 0;
  }

  bool(): boolean {
    this.fill();
    return (cell[0] as number) !== 0 || cell[1] !== 0;
  }

  int64(): bigint {
    this.fill();
    return signedCell[0] as bigint;
  }

  uint64(): bigint {
    this.fill();
    return unsignedCell[0] as bigint;
  }

  double(): number {
    const at = this.pos;
    this.pos += 8;
    return this.buffer.readDoubleLE(at);
  }

  bytes(): Uint8Array {
    const end = this.open();
    // A copy, because a slice would keep the whole answer in memory.
    const value = new Uint8Array(this.buffer.subarray(this.pos, end));
    this.pos = end;
    return value;
  }

  /** As {@link bytes}, without a copy: it shares the memory of the whole buffer. */
  view(): Buffer {
    const end = this.open();
    const value = this.buffer.subarray(this.pos, end);
    this.pos = end;
    return value;
  }

  string(): string {
    const end = this.open();
    const start = this.pos;
    this.pos = end;
    const length = end - start;
    if (length <= longestShared) return readShortText(this.buffer, start, length);
    return this.buffer.toString('utf8', start, end);
  }

  /**
   * Reads this map entry and those that follow it into `target`, sorted by key. Go writes maps in random order; sorted,
   * maps with the same keys share one hidden class, so that they are smaller and faster to create.
   */
  stringMap(tag: number, end: number, target: Record<string, string>): void {
    const keys: string[] = [];
    const values: string[] = [];
    do {
      const last = this.open();
      let key = '';
      let value = '';
      while (this.pos < last) {
        const inner = this.tag();
        if (inner === 10) key = this.string();
        else if (inner === 18) value = this.string();
        else this.skip(inner);
      }
      this.close(last);
      keys.push(key);
      values.push(value);
    } while (this.takeTag(tag, end));
    if (keys.length > mostInserted) return putSorted(target, keys, values);
    for (let i = 1; i < keys.length; i++) {
      const key = keys[i] as string;
      const value = values[i] as string;
      let at = i;
      for (; at > 0 && (keys[at - 1] as string) > key; at--) {
        keys[at] = keys[at - 1] as string;
        values[at] = values[at - 1] as string;
      }
      keys[at] = key;
      values[at] = value;
    }
    for (let i = 0; i < keys.length; i++) put(target, keys[i] as string, values[i] as string);
  }

  /** Reads one entry of a map of messages into `target`. An entry without a value has the empty message. */
  messageEntry<T>(target: Record<string, T>, decode: (reader: Reader, end: number) => T): void {
    const last = this.open();
    let key = '';
    let value: T | undefined;
    while (this.pos < last) {
      const inner = this.tag();
      if (inner === 10) key = this.string();
      else if (inner === 18) value = decode(this, this.open());
      else this.skip(inner);
    }
    this.close(last);
    put(target, key, value ?? decode(this, this.pos));
  }

  /** Skips the field whose tag was just read. */
  skip(tag: number): void {
    switch (tag & 7) {
      case 0:
        this.fill();
        return;
      case 1:
        this.pos += 8;
        return;
      case 2:
        this.pos = this.open();
        return;
      case 5:
        this.pos += 4;
        return;
      default:
        throw malformed(`wire type ${tag & 7}`);
    }
  }

  private takeTag(tag: number, end: number): boolean {
    const at = this.pos;
    if (at < end && this.uint32() === tag) return true;
    this.pos = at;
    return false;
  }

  /** Reads up to 64 bits into the cell. */
  private fill(): void {
    const { buffer } = this;
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift > 63) throw malformed('a number of more than 10 bytes');
      const byte = buffer[this.pos++] as number;
      const bits = byte & 127;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >> 4;
      } else high |= bits << (shift - 32);
      if (!(byte > 127)) break;
    }
    cell[0] = low;
    cell[1] = high;
  }
}

/** As many labels as objects have. Of more, insertion would take the square of their number: 80,000 fit into a pod. */
const mostInserted = 64;

function putSorted(target: Record<string, string>, keys: readonly string[], values: readonly string[]): void {
  // Stable, because the last of two equal keys counts.
  const order = keys.map((_, index) => index).sort((a, b) => compare(keys[a] as string, keys[b] as string));
  for (const index of order) put(target, keys[index] as string, values[index] as string);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function put<T>(target: Record<string, T>, key: string, value: T): void {
  // Assigning `__proto__` would set the prototype and lose the entry.
  if (key === '__proto__')
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
  else target[key] = value;
}

function malformed(what: string): RangeError {
  return new RangeError(`malformed message: ${what}`);
}
