import type { ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { KubeletError } from '@podwright/errors';
import type { Clock, Timer } from '@podwright/time';

export interface ConnectionHealthOptions {
  readonly readIdleTimeoutMs: number;
  readonly pingTimeoutMs: number;
  readonly idleConnectionTimeoutMs: number;
}

interface HealthEvents {
  /** No request is open. */
  isIdle(): boolean;
  onDead(error: Error): void;
  onIdle(): void;
}

// Node does not tell of single frames, so the byte counter of the socket is looked at this often within the idle time.
const looksPerIdleTime = 6;

/**
 * Asks a silent HTTP/2 session whether it lives, and gives it up when it does not say so in time. A connection whose other
 * end is gone without a word would else be noticed only by the kernel, after 15 minutes. Source: golang.org/x/net/http2
 * (ReadIdleTimeout, PingTimeout, IdleConnTimeout).
 */
export class ConnectionHealth {
  private timer: Timer | undefined;
  private bytesRead = 0;
  private heardAtMs: number;
  private usedAtMs: number;
  private stopped = false;

  constructor(
    private readonly session: ClientHttp2Session,
    private readonly socket: Socket,
    private readonly clock: Clock,
    private readonly options: ConnectionHealthOptions,
    private readonly events: HealthEvents,
  ) {
    this.heardAtMs = this.usedAtMs = clock.monotonic();
    this.lookLater();
  }

  /** A request ended. */
  used(): void {
    this.usedAtMs = this.clock.monotonic();
  }

  stop(): void {
    this.stopped = true;
    this.timer?.cancel();
  }

  private lookLater(): void {
    if (this.stopped) return;
    this.timer = this.clock.setTimer(this.options.readIdleTimeoutMs / looksPerIdleTime, () => this.look());
  }

  private look(): void {
    const nowMs = this.clock.monotonic();
    if (this.events.isIdle() && nowMs - this.usedAtMs >= this.options.idleConnectionTimeoutMs) {
      this.events.onIdle();
      return;
    }
    if (this.heard()) this.heardAtMs = nowMs;
    if (nowMs - this.heardAtMs < this.options.readIdleTimeoutMs) this.lookLater();
    else this.ask();
  }

  private heard(): boolean {
    const { bytesRead } = this.socket;
    const more = bytesRead !== this.bytesRead;
    this.bytesRead = bytesRead;
    return more;
  }

  private ask(): void {
    const answered = (): void => {
      this.timer?.cancel();
      this.heardAtMs = this.clock.monotonic();
      this.lookLater();
    };
    this.timer = this.clock.setTimer(this.options.pingTimeoutMs, () => this.giveUp());
    if (!this.session.ping((error) => (error === null ? answered() : undefined))) this.giveUp();
  }

  private giveUp(): void {
    if (this.stopped) return;
    this.timer?.cancel(); // a ping that could not even be sent is not waited for
    // The process itself may have stood still; what came meanwhile is read one turn later.
    this.timer = this.clock.setTimer(0, () => {
      if (this.heard()) {
        this.heardAtMs = this.clock.monotonic();
        this.lookLater();
        return;
      }
      const waited = `${this.options.pingTimeoutMs / 1000}s`;
      this.events.onDead(
        new KubeletError(`http2: client connection lost: the API server did not answer a ping within ${waited}`, {
          code: 'unavailable',
        }),
      );
    });
  }
}
