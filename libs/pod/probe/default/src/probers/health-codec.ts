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

/** Decodes the status of a HealthCheckResponse, such as `SERVING`; undefined when it is malformed. */
export function decodeHealthStatus(message: Buffer): string | undefined {
  const status = readStatus(message);
  return status === undefined ? undefined : (statusNames[status] ?? String(status));
}

// Field 1 as a number; skips other fields, and the last of several counts.
function readStatus(message: Buffer): number | undefined {
  let status = 0;
  let at = 0;
  const number = (): number | undefined => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = message[at++];
      if (byte === undefined) return undefined;
      if (shift < 32) value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
    return undefined;
  };
  while (at < message.length) {
    const tag = number();
    if (tag === undefined || tag < 8) return undefined;
    const wireType = tag & 7;
    const value = wireType === 0 || wireType === 2 ? number() : 0;
    if (value === undefined) return undefined;
    if (tag === 0x08) status = value;
    else if (wireType === 1) at += 8;
    else if (wireType === 2) at += value;
    else if (wireType === 5) at += 4;
    else if (wireType !== 0) return undefined;
  }
  return at > message.length ? undefined : status | 0;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}
