const initialBytes = 1024;

/** Writes one protobuf message after another into the same memory. Every field is written, also one of value 0. */
export class MessageWriter {
  private bytes = Buffer.allocUnsafe(initialBytes);
  private length = 0;

  /** What was written since the last call, as a copy. */
  take(): Uint8Array {
    const taken = Uint8Array.from(this.bytes.subarray(0, this.length));
    this.length = 0;
    return taken;
  }

  get size(): number {
    return this.length;
  }

  /** Whole numbers from 0 to 2^53. */
  varint(field: number, value: number): void {
    this.rawVarint(field * 8);
    this.rawVarint(value);
  }

  double(field: number, value: number): void {
    this.rawVarint(field * 8 + 1);
    this.room(8);
    this.length = this.bytes.writeDoubleLE(value, this.length);
  }

  string(field: number, value: string): void {
    this.rawVarint(field * 8 + 2);
    const size = Buffer.byteLength(value);
    this.rawVarint(size);
    this.room(size);
    this.length += this.bytes.write(value, this.length);
  }

  /** A message inside the message, written by `write`. */
  message(field: number, write: () => void): void {
    this.rawVarint(field * 8 + 2);
    const start = this.length;
    write();
    const size = this.length - start;
    // Its length comes before it but is known only now.
    const lengthBytes = varintBytes(size);
    this.room(lengthBytes);
    this.bytes.copyWithin(start + lengthBytes, start, this.length);
    this.length = start;
    this.rawVarint(size);
    this.length += size;
  }

  rawVarint(value: number): void {
    this.room(8);
    let rest = value;
    while (rest > 127) {
      this.bytes[this.length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.length++] = rest;
  }

  private room(size: number): void {
    if (this.length + size <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + size));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

function varintBytes(value: number): number {
  let count = 1;
  for (let rest = value; rest > 127; rest = Math.floor(rest / 128)) count++;
  return count;
}
