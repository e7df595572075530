import { frameTypes } from './frames.js';

/** Receives the content of the peer's frames; data comes in pieces. Buffers are valid only during the call. */
export interface SpdyEvents {
  /** SYN_STREAM, with the header block as it came. */
  opened(streamId: number, headerBlock: Buffer, fin: boolean): void;
  replied(streamId: number): void;
  data(streamId: number, bytes: Buffer): void;
  /** The peer sends no more on a stream. */
  finished(streamId: number): void;
  reset(streamId: number): void;
  ping(id: number): void;
  goneAway(): void;
  /** The peer broke the protocol; nothing more is read. */
  violation(reason: string): void;
}

// Far more than a runtime sends about five streams. Data frames have no limit, because they are never buffered.
const maxControlBytes = 64 * 1_024;
const headBytes = 8;
const finFlag = 0x01;

interface DataFrame {
  readonly streamId: number;
  readonly fin: boolean;
  left: number;
}

/** Parses SPDY/3.1 frames. Buffers at most one control frame. Ignores settings, headers and window updates. */
export class SpdyFrameParser {
  private pending: Buffer = Buffer.alloc(0);
  private frame: DataFrame | undefined;
  private over = false;

  constructor(private readonly events: SpdyEvents) {}

  push(chunk: Buffer): void {
    let bytes = this.pending.length === 0 ? chunk : Buffer.concat([this.pending, chunk]);
    while (!this.over) {
      const used = this.frame === undefined ? this.readHead(bytes) : this.readData(this.frame, bytes);
      if (used === undefined) break;
      bytes = bytes.subarray(used);
    }
    // A copy: a slice of a few bytes would keep the whole chunk in memory.
    this.pending = this.over || bytes.length === 0 ? Buffer.alloc(0) : Buffer.from(bytes);
  }

  private readHead(bytes: Buffer): number | undefined {
    if (bytes.length < headBytes) return undefined;
    const first = bytes.readUInt32BE(0);
    const second = bytes.readUInt32BE(4);
    const flags = second >>> 24;
    const length = second & 0xff_ff_ff;
    if (first < 0x8000_0000) {
      const fin = (flags & finFlag) !== 0;
      this.frame = { streamId: first, fin, left: length };
      if (length === 0) this.endData(this.frame);
      return headBytes;
    }
    if (length > maxControlBytes) return this.break(`a control frame of ${length} bytes`);
    if (bytes.length < headBytes + length) return undefined;
    this.control(first & 0xff_ff, flags, bytes.subarray(headBytes, headBytes + length));
    return headBytes + length;
  }

  private readData(frame: DataFrame, bytes: Buffer): number | undefined {
    if (bytes.length === 0) return undefined;
    const size = Math.min(frame.left, bytes.length);
    frame.left -= size;
    this.events.data(frame.streamId, bytes.subarray(0, size));
    if (frame.left === 0) this.endData(frame);
    return size;
  }

  private endData({ streamId, fin }: DataFrame): void {
    this.frame = undefined;
    if (fin) this.events.finished(streamId);
  }

  private control(type: number, flags: number, payload: Buffer): void {
    const needed = type === frameTypes.synStream ? 10 : type === frameTypes.rstStream ? 8 : 4;
    const known = Object.values(frameTypes).some((value) => value === type);
    if (!known) return;
    if (payload.length < needed) return void this.break(`a control frame of type ${type} with ${payload.length} bytes`);
    const id = payload.readUInt32BE(0) & 0x7fff_ffff;
    const fin = (flags & finFlag) !== 0;
    if (type === frameTypes.synStream) this.events.opened(id, payload.subarray(10), fin);
    if (type === frameTypes.synReply) this.events.replied(id);
    if (type === frameTypes.synReply && fin) this.events.finished(id);
    if (type === frameTypes.rstStream) this.events.reset(id);
    if (type === frameTypes.ping) this.events.ping(payload.readUInt32BE(0));
    if (type === frameTypes.goAway) this.events.goneAway();
  }

  private break(reason: string): undefined {
    this.over = true;
    this.events.violation(reason);
    return undefined;
  }
}
