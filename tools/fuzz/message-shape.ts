const mostDepth = 12;

/**
 * Makes a protobuf message whose lengths are right of any bytes, as a list of instructions: bytes alone seldom get
 * past the first length that is wrong. One byte has the kind (varint, text, begin of a message, its end), the next the field's
 * number.
 */
export function messageOf(instructions: Buffer): Buffer {
  let at = 0;
  const next = (): number => instructions[at++] ?? 0;
  const message = (depth: number): Buffer => {
    const parts: Buffer[] = [];
    while (at < instructions.length) {
      const kind = next() % 8;
      if (kind === 0 && depth > 0) break;
      const field = (next() % 31) + 1;
      if (kind <= 3) parts.push(varint(field * 8), varint(number(next(), next)));
      else if (kind >= 6 && depth < mostDepth) parts.push(delimited(field, message(depth + 1)));
      else {
        const length = next() % 40;
        parts.push(delimited(field, instructions.subarray(at, at + length)));
        at += length;
      }
    }
    return Buffer.concat(parts);
  };
  return message(0);
}

const large = [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 53, -1];

const number = (byte: number, next: () => number): number => (byte < 200 ? byte : (large[next() % large.length] ?? 0));

function delimited(field: number, content: Uint8Array): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}
