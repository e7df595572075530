import type { ServerResponse } from 'node:http';
import type { Answer } from '@podwright/http-answer';
import type { Clock, Timer } from '@podwright/time';
import { plainAddress } from './plain-address.js';

// Any network that a node is asked over is much faster.
const slowestBytesPerSecond = 16 * 1024;
const graceMs = 60_000;
// A client that has not taken its answer by then makes room for others.
const slowAfterMs = 10_000;

// The kernel takes these at once, and the limit on requests bounds their number.
const mostSmallBytes = 4 * 1024;

/** The memory that an answer holds until its client has taken it; 0 for small ones, and for those sent in pieces. */
export function heldBytes({ body }: Answer): number {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return 0;
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  return bytes > mostSmallBytes ? bytes : 0;
}

interface Pending {
  readonly response: ServerResponse;
  readonly address: string;
  readonly bytes: number;
  readonly sinceMs: number;
  readonly timer: Timer;
}

/**
 * Bounds the memory of answers that are complete before the first byte is sent, such as pages of metrics: a client that
 * reads a byte a minute would hold its answer for hours. Each answer has a minute, and more for what is large. When all
 * together are too large, those of slow clients go first; then new ones are refused.
 */
export class PendingAnswers {
  private readonly pending = new Set<Pending>();
  private bytes = 0;

  constructor(
    private readonly clock: Clock,
    private readonly maxBytes: number,
  ) {}

  /** False: there is no room for the answer. A single answer may be of any size. */
  makeRoom(bytes: number): boolean {
    while (bytes > 0 && this.bytes > 0 && this.bytes + bytes > this.maxBytes) {
      const slow = this.slowest();
      if (slow === undefined) return false;
      this.cut(slow);
    }
    return true;
  }

  /** Call the returned function when the answer is written or its client has gone. */
  add(response: ServerResponse, bytes: number): () => void {
    const limitMs = graceMs + (bytes / slowestBytesPerSecond) * 1000;
    const pending: Pending = {
      response,
      address: plainAddress(response.socket?.remoteAddress),
      bytes,
      sinceMs: this.clock.monotonic(),
      timer: this.clock.setTimer(limitMs, () => this.cut(pending)),
    };
    this.pending.add(pending);
    this.bytes += bytes;
    return () => this.forget(pending);
  }

  /** The oldest slow answer of the address that holds the most memory with slow ones. */
  private slowest(): Pending | undefined {
    const before = this.clock.monotonic() - slowAfterMs;
    const slow = [...this.pending].filter(({ sinceMs }) => sinceMs <= before);
    const byAddress = new Map<string, number>();
    for (const { address, bytes } of slow) byAddress.set(address, (byAddress.get(address) ?? 0) + bytes);
    const most = Math.max(...byAddress.values());
    return slow.find(({ address }) => byAddress.get(address) === most);
  }

  private cut(pending: Pending): void {
    this.forget(pending);
    pending.response.destroy();
  }

  private forget(pending: Pending): void {
    pending.timer.cancel();
    if (this.pending.delete(pending)) this.bytes -= pending.bytes;
  }
}
