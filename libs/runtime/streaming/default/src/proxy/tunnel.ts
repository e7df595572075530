import { onAbort, type Clock } from '@podwright/time';
import type { Duplex } from 'node:stream';
import { IdleWatch } from './idle-watch.js';
import { pump } from './pump.js';

export interface TunnelOptions {
  readonly clock: Clock;
  /** As of RuntimeStreamingConfig. */
  readonly idleTimeoutMs: number;
  readonly halfClosedTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** How long a connection whose peer is gone may take for what was written to it, and to say its own last; milliseconds. */
export const lingerMs = 10_000;

/**
 * Joins two connections byte by byte until both are closed. One side's last word is handed on at once, and the other side may
 * go on as long as something moves every `halfClosedTimeoutMs`; a side that is closed or breaks ends the other one, after what
 * was on its way to it. Upstream closes both at the first sign of either, which cuts off what the other still had to say.
 * Never rejects.
 */
export function tunnel(client: Duplex, runtime: Duplex, options: TunnelOptions): Promise<void> {
  const { clock, idleTimeoutMs, halfClosedTimeoutMs, signal } = options;
  return new Promise((resolve) => {
    let open = 2;
    const destroyBoth = (): void => {
      client.destroy();
      runtime.destroy();
    };
    const idle = new IdleWatch(clock, idleTimeoutMs, destroyBoth);
    const moved = (): void => idle.seen();
    const halfEnded = (): void => idle.limit(halfClosedTimeoutMs);
    const stops = [pump(client, runtime, moved, halfEnded), pump(runtime, client, moved, halfEnded)];
    const unsubscribe = onAbort(signal, destroyBoth);
    const gone = (other: Duplex): void => {
      stops.forEach((stop) => stop());
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
  // An error is followed by `close`, which tells all that matters here.
  side.on('error', () => undefined);
  if (side.closed) gone(other);
  else side.once('close', () => gone(other));
}
