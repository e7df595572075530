import { Writer } from '@podwright/protobuf-wire';

const mostDepth = 12;
const delimited = 2;

/**
 * Makes a protobuf message whose lengths are right of any bytes, as a list of instructions: bytes alone seldom get
 * past the first length that is wrong. One byte has the kind (varint, text, begin of a message, its end), the next the field's
 * number.
 */
export function messageOf(instructions: Buffer): Buffer {
  let at = 0;
  const next = (): number => instructions[at++] ?? 0;
  const writer = new Writer();
  const fields = (depth: number): void => {
    while (at < instructions.length) {
      const kind = next() % 8;
      if (kind === 0 && depth > 0) return;
      const tag = ((next() % 31) + 1) * 8;
      if (kind <= 3) writer.int64(tag, number(next(), next));
      else if (kind >= 6 && depth < mostDepth) {
        const start = writer.open(tag + delimited);
        fields(depth + 1);
        writer.close(start);
      } else {
        const length = next() % 40;
        writer.bytes(tag + delimited, instructions.subarray(at, at + length));
        at += length;
      }
    }
  };
  fields(0);
  return writer.finish();
}

const large = [2n ** 31n - 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 53n, -1n];

const number = (byte: number, next: () => number): bigint =>
  byte < 200 ? BigInt(byte) : (large[next() % large.length] ?? 0n);
