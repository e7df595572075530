import type { Clock, Timer } from '@podwright/time';
import type { Duplex } from 'node:stream';
import { PingFilter } from '../spdy/ping-filter.js';

const quietMs = 100;
// A client waits for the answer to a ping before it sends the next one.
const mostHeld = 16;

/**
 * Delays a SPDY client's pings while output flows or waits for the client. The runtime closes the connection when its
 * command has ended, often with output that nobody has read yet. The kernel answers a ping that comes then with a reset
 * and drops that output. Upstream's proxy sends pings on at any moment.
 */
export class PingDelay {
  private readonly filter = new PingFilter();
  private readonly held: Buffer[] = [];
  private outputAtMs: number;
  private timer: Timer | undefined;
  private over = false;

  constructor(
    private readonly clock: Clock,
    private readonly client: Pick<Duplex, 'writableNeedDrain'>,
    private readonly runtime: Pick<Duplex, 'writable' | 'write'>,
  ) {
    this.outputAtMs = clock.monotonic() - quietMs;
  }

  /** Call it for all that the runtime sends. */
  output(): void {
    this.outputAtMs = this.clock.monotonic();
  }

  /** The pieces of the client's bytes that can be sent on now. */
  pass(chunk: Uint8Array): readonly Uint8Array[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    return this.filter.push(bytes, (frame) => {
      if (this.over || (this.held.length === 0 && this.isQuiet())) return false;
      if (this.held.length < mostHeld) this.held.push(frame);
      this.arm();
      return true;
    });
  }

  /** The client sends no more: what is left to send on, without the pings. */
  rest(): Uint8Array {
    return this.filter.end();
  }

  end(): void {
    this.over = true;
    this.timer?.cancel();
    this.held.length = 0;
  }

  private isQuiet(): boolean {
    return !this.client.writableNeedDrain && this.clock.monotonic() - this.outputAtMs >= quietMs;
  }

  private arm(): void {
    this.timer ??= this.clock.setTimer(quietMs, () => {
      this.timer = undefined;
      if (this.over) return;
      if (!this.isQuiet()) return this.arm();
      for (const frame of this.held.splice(0)) if (this.runtime.writable) this.runtime.write(frame);
    });
  }
}
