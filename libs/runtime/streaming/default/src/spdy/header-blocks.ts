// zlib's head for a stream with the smallest window and no preset dictionary: a reader asks for the dictionary only when the
// head names one.
const zlibHead = Buffer.from([0x78, 0x01]);
// An empty stored block ends each header block, as a flush would, so that a reader hands out all that came before.
const flushBlock = Buffer.from([0x00, 0x00, 0x00, 0xff, 0xff]);
const maxStoredBytes = 0xff_ff;

/**
 * Header blocks of one direction of a SPDY connection. They are one zlib stream, which may as well hold stored blocks: the few
 * short headers of a session are not worth a compressor of 256 KiB per connection. Names are written in lower case.
 */
export class HeaderBlocks {
  private first = true;

  /** Throws a RangeError for headers beyond 64 KiB. */
  next(headers: Readonly<Record<string, string>>): Buffer {
    const entries = Object.entries(headers);
    const parts = entries.flatMap(([name, value]) => [...text(name.toLowerCase()), ...text(value)]);
    const plain = Buffer.concat([length(entries.length), ...parts]);
    if (plain.length > maxStoredBytes) throw new RangeError(`headers of ${plain.length} bytes`);
    const head = Buffer.alloc(5);
    head.writeUInt16LE(plain.length, 1);
    head.writeUInt16LE(plain.length ^ maxStoredBytes, 3);
    const block = Buffer.concat([...(this.first ? [zlibHead] : []), head, plain, flushBlock]);
    this.first = false;
    return block;
  }
}

function text(value: string): readonly Buffer[] {
  const bytes = Buffer.from(value, 'latin1');
  return [length(bytes.length), bytes];
}

function length(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
