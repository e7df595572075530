/** Receives the content of a client's frames in pieces; a whole message is never buffered, however long it is. */
export interface FrameEvents {
  /** A message begins; `binary` is false for text. */
  message(binary: boolean): void;
  /** The next bytes of the message. The receiver may keep the buffer. */
  data(bytes: Buffer): void;
  messageEnd(): void;
  ping(payload: Buffer): void;
  /** The client's close frame; `code` is undefined when it has none. */
  close(code: number | undefined): void;
  /** The client broke the protocol; nothing more is read. */
  violation(): void;
}

const continuation = 0x0;
const textFrame = 0x1;
const binaryFrame = 0x2;
const closeFrame = 0x8;
const pingFrame = 0x9;
const pongFrame = 0xa;
const maxControlBytes = 125;

interface Frame {
  readonly opcode: number;
  readonly final: boolean;
  readonly mask: Buffer;
  left: number;
  read: number;
}

/**
 * Parses masked WebSocket frames (RFC 6455 section 5), split into chunks anywhere. Buffers at most one frame head or
 * one control frame. No extensions are negotiated, so a set reserved bit is a violation.
 */
export class FrameParser {
  private pending: Buffer = Buffer.alloc(0);
  private frame: Frame | undefined;
  private inMessage = false;
  private over = false;

  constructor(private readonly events: FrameEvents) {}

  push(chunk: Uint8Array): void {
    // A copy: unmask() changes the bytes, and the chunk belongs to the caller.
    let bytes = Buffer.concat([this.pending, chunk]);
    this.pending = Buffer.alloc(0);
    while (!this.over) {
      if (this.frame === undefined) {
        const used = this.readHead(bytes);
        if (used === 0) break;
        bytes = bytes.subarray(used);
        continue;
      }
      const used = this.readPayload(this.frame, bytes);
      if (used === undefined) break;
      bytes = bytes.subarray(used);
    }
    if (!this.over) this.pending = bytes;
  }

  /** Returns the bytes used; 0 = the head is not complete yet, or is a violation. */
  private readHead(bytes: Buffer): number {
    const first = bytes[0];
    const second = bytes[1];
    if (first === undefined || second === undefined) return 0;
    const short = second & 0x7f;
    const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
    const size = 2 + lengthBytes + 4;
    const opcode = first & 0x0f;
    const final = (first & 0x80) !== 0;
    if ((first & 0x70) !== 0 || (second & 0x80) === 0 || !this.expected(opcode, final, short)) return this.break();
    if (bytes.length < size) return 0;
    const left =
      lengthBytes === 0 ? short : lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    if (!Number.isSafeInteger(left)) return this.break();
    const mask = bytes.subarray(size - 4, size);
    this.frame = { opcode, final, mask, left, read: 0 };
    if (opcode === textFrame || opcode === binaryFrame) {
      this.inMessage = true;
      this.events.message(opcode === binaryFrame);
    }
    return size;
  }

  private expected(opcode: number, final: boolean, short: number): boolean {
    if (opcode === continuation) return this.inMessage;
    if (opcode === textFrame || opcode === binaryFrame) return !this.inMessage;
    const control = opcode === closeFrame || opcode === pingFrame || opcode === pongFrame;
    return control && final && short <= maxControlBytes;
  }

  /** Returns the bytes used; undefined = more are needed. */
  private readPayload(frame: Frame, bytes: Buffer): number | undefined {
    const control = frame.opcode >= closeFrame;
    if (control && bytes.length < frame.left) return undefined;
    const size = Math.min(frame.left, bytes.length);
    if (size === 0 && frame.left > 0) return undefined;
    const payload = bytes.subarray(0, size);
    unmask(payload, frame.mask, frame.read);
    frame.left -= size;
    frame.read += size;
    const ended = frame.left === 0;
    if (ended) this.frame = undefined;
    if (control) this.control(frame.opcode, payload);
    else this.part(payload, ended && frame.final);
    return size;
  }

  private part(payload: Buffer, last: boolean): void {
    if (payload.length > 0) this.events.data(payload);
    if (!last || this.over) return;
    this.inMessage = false;
    this.events.messageEnd();
  }

  private control(opcode: number, payload: Buffer): void {
    if (opcode === pingFrame) this.events.ping(payload);
    if (opcode !== closeFrame) return;
    this.over = true;
    this.events.close(payload.length >= 2 ? payload.readUInt16BE(0) : undefined);
  }

  private break(): 0 {
    this.over = true;
    this.events.violation();
    return 0;
  }
}

function unmask(payload: Buffer, mask: Buffer, offset: number): void {
  const [a = 0, b = 0, c = 0, d = 0] = [0, 1, 2, 3].map((index) => mask[(offset + index) % 4] ?? 0);
  const whole = payload.length - (payload.length % 4);
  for (let at = 0; at < whole; at += 4) {
    payload[at] = (payload[at] ?? 0) ^ a;
    payload[at + 1] = (payload[at + 1] ?? 0) ^ b;
    payload[at + 2] = (payload[at + 2] ?? 0) ^ c;
    payload[at + 3] = (payload[at + 3] ?? 0) ^ d;
  }
  for (let at = whole; at < payload.length; at++) payload[at] = (payload[at] ?? 0) ^ (mask[(offset + at) % 4] ?? 0);
}
