const finalBit = 0x80;
const binaryOpcode = 0x2;
const closeOpcode = 0x8;
const pongOpcode = 0xa;

/** Head of a binary message of `length` bytes, as a server sends it: unmasked and in one frame. */
export function binaryHead(length: number): Buffer {
  return head(binaryOpcode, length);
}

export function pongFrame(payload: Uint8Array): Buffer {
  return Buffer.concat([head(pongOpcode, payload.length), payload]);
}

/** `code` is one of RFC 6455 section 7.4: 1000 = normal closure, 1002 = protocol error. */
export function closeFrame(code: number): Buffer {
  return Buffer.concat([head(closeOpcode, 2), Buffer.from([code >> 8, code & 0xff])]);
}

function head(opcode: number, length: number): Buffer {
  const first = finalBit | opcode;
  if (length < 126) return Buffer.from([first, length]);
  if (length < 65_536) return Buffer.from([first, 126, length >> 8, length & 0xff]);
  const bytes = Buffer.alloc(10);
  bytes[0] = first;
  bytes[1] = 127;
  bytes.writeBigUInt64BE(BigInt(length), 2);
  return bytes;
}
