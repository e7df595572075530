/** One field of a protobuf message. Varints are numbers, because nothing in the API needs more than 53 bits. */
export interface WireField {
  readonly number: number;
  readonly value: number | Uint8Array;
}

/** The fields of a message, in order. @throws RangeError for a malformed message. */
export function wireFields(bytes: Uint8Array): readonly WireField[] {
  const fields: WireField[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;
  while (offset < bytes.byteLength) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    const kind = tag % 8;
    if (kind === 0) fields.push({ number, value: varint() });
    else if (kind === 1) fields.push({ number, value: view.getFloat64(advance(8), true) });
    else if (kind === 5) fields.push({ number, value: view.getFloat32(advance(4), true) });
    else if (kind === 2) {
      const length = varint();
      const start = advance(length);
      fields.push({ number, value: bytes.subarray(start, start + length) });
    } else throw new RangeError(`wire type ${kind} is not in use`);
  }
  return fields;

  function advance(length: number): number {
    const start = offset;
    offset += length;
    if (offset > bytes.byteLength) throw new RangeError('unexpected end of the message');
    return start;
  }

  function varint(): number {
    let [result, shift] = [0n, 0n];
    for (;;) {
      const byte = view.getUint8(advance(1));
      result |= BigInt(byte & 0x7f) << shift;
      // Negative numbers have all 64 bits.
      if (byte < 0x80) return Number(BigInt.asIntN(64, result));
      shift += 7n;
      if (shift > 63n) throw new RangeError('a number of more than 64 bits');
    }
  }
}
