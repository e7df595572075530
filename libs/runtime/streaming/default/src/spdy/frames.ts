/** Types of control frames, SPDY/3.1 section 2.6. */
export const frameTypes = { synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7 } as const;

const controlBit = 0x8000;
const version = 3;
const finFlag = 0x01;
const cancelStatus = 5;

/** Most bytes of one frame: the length field has 24 bits. */
export const maxFrameBytes = 0xff_ff_ff;

/** SYN_STREAM with a header block made by {@link HeaderBlocks}. `streamId` is odd for streams of a client. */
export function synStream(streamId: number, headerBlock: Uint8Array): Buffer {
  return control(frameTypes.synStream, Buffer.concat([words(streamId, 0), Buffer.alloc(2), headerBlock]));
}

export function synReply(streamId: number, headerBlock: Uint8Array): Buffer {
  return control(frameTypes.synReply, Buffer.concat([words(streamId), headerBlock]));
}

export function rstStream(streamId: number): Buffer {
  return control(frameTypes.rstStream, words(streamId, cancelStatus));
}

export function pingFrame(id: number): Buffer {
  return control(frameTypes.ping, words(id));
}

export function goAway(): Buffer {
  return control(frameTypes.goAway, words(0, 0));
}

/** Head of a data frame; its bytes follow. With `fin`, this side sends no more on the stream. */
export function dataHead(streamId: number, length: number, fin = false): Buffer {
  return words(streamId, (fin ? finFlag << 24 : 0) | length);
}

function control(type: number, payload: Buffer): Buffer {
  return Buffer.concat([words(((controlBit | version) << 16) | type, payload.length), payload]);
}

function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32BE(value >>> 0, 4 * index));
  return bytes;
}
