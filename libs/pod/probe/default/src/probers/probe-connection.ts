import { connectionEnds, goDialError, goReadError } from '@podwright/http-action';
import { onAbort, type Clock } from '@podwright/time';
import { connect, type Socket } from 'node:net';

// As long as upstream's SO_LINGER.
const lingerMs = 1000;

/**
 * One TCP connection that leaves nothing behind: it ends with a reset, so that a probe every second does not pile up
 * sockets in TIME_WAIT. A reset before the server is done would be rude, so `finish` waits for its end of the connection.
 */
export class ProbeConnection {
  readonly socket: Socket;
  private ends: string | undefined;

  constructor(
    readonly host: string,
    readonly port: number,
  ) {
    this.socket = connect({
      host,
      port,
      // Our end is closed by a reset; an automatic FIN would come before it.
      allowHalfOpen: true,
      // Small packets follow each other; they must not wait for an acknowledgement.
      noDelay: true,
    });
    this.socket.once('connect', () => (this.ends = connectionEnds(this.socket)));
    // Whoever uses the connection listens for itself; after that nobody is interested.
    this.socket.on('error', () => undefined);
  }

  get isConnected(): boolean {
    return this.ends !== undefined;
  }

  /** Closes at once, without a trace on either side. May come twice. */
  reset(): void {
    if (this.socket.destroyed) return;
    // Before it is connected there is nothing to reset.
    if (this.socket.connecting) this.socket.destroy();
    else this.socket.resetAndDestroy();
  }

  /** The exchange is complete: gives the server a second to close, which it was asked for, then resets. Returns at once. */
  finish(clock: Clock, signal: AbortSignal): void {
    const { socket } = this;
    if (socket.destroyed || socket.readableEnded) return this.reset();
    const reset = (): void => {
      timer.cancel();
      unlisten();
      this.reset();
    };
    const timer = clock.setTimer(lingerMs, reset);
    const unlisten = onAbort(signal, reset);
    socket.once('end', reset);
    socket.once('close', reset);
    socket.resume();
  }

  /** An error of the socket in the words of Go, which users know from events. */
  describe(error: unknown): string {
    return this.ends === undefined ? goDialError(error, this.host, this.port) : goReadError(error, this.ends);
  }
}
