import { connectionEnds, goDialError, goReadError } from '@podwright/http-action';
import { onAbort, type Clock } from '@podwright/time';
import { connect, type Socket } from 'node:net';

// The same as upstream's SO_LINGER.
const lingerMs = 1000;

/**
 * One TCP connection that leaves nothing behind: it ends with a reset, so that a probe every second does not pile up
 * sockets in TIME_WAIT. `finish` first waits for the server to close its end, as an earlier reset could disturb it.
 */
export class ProbeConnection {
  readonly socket: Socket;
  private ends: string | undefined;

  constructor(
    /** Empty: this node, by its IPv4 loopback address as in Go. */
    readonly host: string,
    readonly port: number,
  ) {
    this.socket = connect({
      host: host || '127.0.0.1',
      port,
      // We close with a reset; an automatic FIN would come first.
      allowHalfOpen: true,
      // Small packets follow each other and must not wait for an acknowledgement.
      noDelay: true,
    });
    this.socket.once('connect', () => (this.ends = connectionEnds(this.socket)));
    // Users of the connection add their own listeners; errors after that do not matter.
    this.socket.on('error', () => undefined);
  }

  get isConnected(): boolean {
    return this.ends !== undefined;
  }

  /** Closes at once, without leaving a socket on either side. May be called twice. */
  reset(): void {
    if (this.socket.destroyed) return;
    // There is nothing to reset before the connection exists.
    if (this.socket.connecting) this.socket.destroy();
    else this.socket.resetAndDestroy();
  }

  /** Call it when the exchange is complete: gives the server a second to close, then resets. Returns at once. */
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

  /** Describes an error of the socket with Go's text, which users know from events. */
  describe(error: unknown): string {
    return this.ends === undefined ? goDialError(error, this.host, this.port) : goReadError(error, this.ends);
  }
}
