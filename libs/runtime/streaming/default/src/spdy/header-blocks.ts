// zlib's head for a stream with the smallest window and no preset dictionary: a reader asks for the dictionary only
// when the
// head names one.
const zlibHead = Buffer.from([0x78, 0x01]);
// An empty stored block ends each header block, like a flush, so that the peer's reader returns everything before it.
const flushBlock = Buffer.from([0x00, 0x00, 0x00, 0xff, 0xff]);
const maxStoredBytes = 0xff_ff;

/**
 * Writes the header blocks of one direction of a SPDY connection. They form one zlib stream of uncompressed blocks: a
 * compressor would cost 256 KiB per connection for a few short headers. Names are written in lower case.
 */
export class HeaderBlocks {
  private first = true;

  /** Encodes the next header block. Throws a RangeError for headers beyond 64 KiB. */
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
