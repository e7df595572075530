// grpc.health.v1 has one message with one field in each direction: no generated code is needed.

const statusNames: Readonly<Record<number, string>> = {
  0: 'UNKNOWN',
  1: 'SERVING',
  2: 'NOT_SERVING',
  3: 'SERVICE_UNKNOWN',
};

/** Encodes a HealthCheckRequest as a gRPC frame: compression flag, length, message. */
export function encodeHealthCheck(service: string): Buffer {
  const name = Buffer.from(service);
  const message = name.length === 0 ? name : Buffer.concat([Buffer.from([0x0a]), varint(name.length), name]);
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(message.length, 1);
  return Buffer.concat([frame, message]);
}

/** Decodes the status of a framed HealthCheckResponse, such as `SERVING`. Throws an Error when it is malformed. */
export function decodeHealthStatus(frame: Buffer): string {
  if (frame.length < 5) throw new Error('unexpected EOF');
  if (frame[0] !== 0) throw new Error('grpc: received a compressed message that was not asked for');
  const length = frame.readUInt32BE(1);
  if (frame.length < 5 + length) throw new Error('unexpected EOF');
  const status = readStatus(frame.subarray(5, 5 + length));
  return statusNames[status] ?? String(status);
}

// Field 1 as a number; skips other fields, and the last of several counts.
function readStatus(message: Buffer): number {
  let status = 0;
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = message[at++];
      if (byte === undefined) throw new Error('proto: unexpected EOF');
      if (shift < 32) value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
    throw new Error('proto: variable length integer overflow');
  };
  while (at < message.length) {
    const tag = number();
    const wireType = tag & 7;
    if (tag === 0x08) status = number();
    else if (wireType === 0) number();
    else if (wireType === 1) at += 8;
    else if (wireType === 2) {
      const length = number();
      at += length;
    } else if (wireType === 5) at += 4;
    else throw new Error('proto: cannot parse invalid wire-format data');
  }
  if (at > message.length) throw new Error('proto: unexpected EOF');
  return status | 0;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}
