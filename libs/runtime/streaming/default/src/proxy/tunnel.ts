import { onAbort, type Clock } from '@podwright/time';
import type { Duplex } from 'node:stream';
import { IdleWatch } from './idle-watch.js';
import { PingDelay } from './ping-delay.js';
import { pump } from './pump.js';

export interface TunnelOptions {
  readonly clock: Clock;
  /** `idleTimeoutMs` and `halfClosedTimeoutMs` are those of RuntimeStreamingConfig. */
  readonly idleTimeoutMs: number;
  readonly halfClosedTimeoutMs: number;
  readonly signal: AbortSignal;
}

export interface TunnelKind {
  /** The bytes are SPDY: the client's pings wait while output flows. */
  readonly spdy: boolean;
  /** The client's first bytes, which came with its request. */
  readonly head: Uint8Array;
}

/**
 * How long a connection may take to deliver pending data and to close after the other side has closed, in milliseconds.
 */
export const lingerMs = 10_000;

/**
 * Copies bytes between two connections until both are closed. When one side stops sending, the other side may continue
 * while something moves within each `halfClosedTimeoutMs`. When one side closes or fails, the other closes after its
 * pending data was delivered. Upstream closes both as soon as one side ends, which cuts off the other side's data.
 * Never rejects.
 */
export function tunnel(
  client: Duplex,
  runtime: Duplex,
  { spdy, head }: TunnelKind,
  options: TunnelOptions,
): Promise<void> {
  const { clock, idleTimeoutMs, halfClosedTimeoutMs, signal } = options;
  return new Promise((resolve) => {
    let open = 2;
    const destroyBoth = (): void => {
      client.destroy();
      runtime.destroy();
    };
    const idle = new IdleWatch(clock, idleTimeoutMs, destroyBoth);
    const moved = (): void => idle.seen();
    const pings = spdy ? new PingDelay(clock, client, runtime) : undefined;
    const fromRuntime = (): void => {
      pings?.output();
      moved();
    };
    if (head.length > 0) for (const piece of pings?.pass(head) ?? [head]) runtime.write(piece);
    const halfEnded = (): void => idle.limit(halfClosedTimeoutMs);
    const stops = [pump(client, runtime, moved, halfEnded, pings), pump(runtime, client, fromRuntime, halfEnded)];
    const unsubscribe = onAbort(signal, destroyBoth);
    const gone = (other: Duplex): void => {
      stops.forEach((stop) => stop());
      pings?.end();
      if (--open === 0) {
        idle.end();
        unsubscribe();
        resolve();
        return;
      }
      // Closing a socket with unread bytes resets it, and the peer would lose what it has not read yet.
      other.resume();
      if (!other.writableEnded) other.end();
      idle.limit(lingerMs);
    };
    join(client, runtime, gone);
    join(runtime, client, gone);
    if (signal.aborted) destroyBoth();
  });
}

function join(side: Duplex, other: Duplex, gone: (other: Duplex) => void): void {
  // Every error is followed by `close`, which is handled below.
  side.on('error', () => undefined);
  if (side.closed) gone(other);
  else side.once('close', () => gone(other));
}
