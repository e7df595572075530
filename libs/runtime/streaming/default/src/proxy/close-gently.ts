import { onAbort, type Clock } from '@podwright/time';
import type { Duplex } from 'node:stream';

/**
 * Sends `lastWord`, discards what the peer still sends and waits up to `limitMs` for it to close; then closes the
 * socket. Closing a socket with unread bytes resets it, and the peer would lose what it has not read yet. Never
 * rejects.
 */
export function closeGently(
  socket: Duplex,
  clock: Clock,
  limitMs: number,
  signal: AbortSignal,
  lastWord?: Uint8Array,
): Promise<void> {
  if (socket.closed) return Promise.resolve();
  socket.resume();
  if (!socket.writableEnded && !socket.destroyed) {
    if (lastWord === undefined) socket.end();
    else socket.end(lastWord);
  }
  return new Promise((resolve) => {
    const destroy = (): void => {
      socket.destroy();
    };
    const timer = clock.setTimer(limitMs, destroy);
    const unsubscribe = onAbort(signal, destroy);
    socket.once('close', () => {
      timer.cancel();
      unsubscribe();
      resolve();
    });
    if (signal.aborted) destroy();
  });
}
