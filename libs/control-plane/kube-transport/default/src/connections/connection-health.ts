import type { ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { KubeletError } from '@podwright/errors';
import type { Clock, Timer } from '@podwright/time';

export interface ConnectionHealthOptions {
  readonly readIdleTimeoutMs: number;
  readonly pingTimeoutMs: number;
  readonly idleConnectionTimeoutMs: number;
}

interface WatchedConnection {
  readonly session: ClientHttp2Session;
  readonly socket: Socket;
  /** True when no request is open. */
  isIdle(): boolean;
  onDead(error: Error): void;
  onIdle(): void;
}

// Node does not report single frames, so the socket's byte counter is read this often within the idle time.
const checksPerIdleTime = 6;

/**
 * Pings a silent HTTP/2 session and drops it when it does not answer in time. Otherwise only the kernel would notice a
 * dead peer, after 15 minutes. Source: golang.org/x/net/http2 (ReadIdleTimeout, PingTimeout, IdleConnTimeout).
 */
export class ConnectionHealth {
  private timer: Timer | undefined;
  private bytesRead = 0;
  private heardAtMs: number;
  private usedAtMs: number;
  private stopped = false;

  constructor(
    private readonly connection: WatchedConnection,
    private readonly clock: Clock,
    private readonly options: ConnectionHealthOptions,
  ) {
    this.heardAtMs = this.usedAtMs = clock.monotonic();
    this.checkLater();
  }

  /** Call it when a request has ended. */
  used(): void {
    this.usedAtMs = this.clock.monotonic();
  }

  stop(): void {
    this.stopped = true;
    this.timer?.cancel();
  }

  private checkLater(): void {
    if (this.stopped) return;
    this.timer = this.clock.setTimer(this.options.readIdleTimeoutMs / checksPerIdleTime, () => this.check());
  }

  private check(): void {
    const nowMs = this.clock.monotonic();
    if (this.connection.isIdle() && nowMs - this.usedAtMs >= this.options.idleConnectionTimeoutMs) {
      this.connection.onIdle();
      return;
    }
    if (this.heard()) this.heardAtMs = nowMs;
    if (nowMs - this.heardAtMs < this.options.readIdleTimeoutMs) this.checkLater();
    else this.ask();
  }

  private heard(): boolean {
    const { bytesRead } = this.connection.socket;
    const more = bytesRead !== this.bytesRead;
    this.bytesRead = bytesRead;
    return more;
  }

  private ask(): void {
    const answered = (): void => {
      this.timer?.cancel();
      this.heardAtMs = this.clock.monotonic();
      this.checkLater();
    };
    this.timer = this.clock.setTimer(this.options.pingTimeoutMs, () => this.giveUp());
    if (!this.connection.session.ping((error) => (error === null ? answered() : undefined))) this.giveUp();
  }

  private giveUp(): void {
    if (this.stopped) return;
    this.timer?.cancel(); // a ping that could not be sent is not awaited
    // The process itself may have stalled; data that arrived meanwhile is read one turn later.
    this.timer = this.clock.setTimer(0, () => {
      if (this.heard()) {
        this.heardAtMs = this.clock.monotonic();
        this.checkLater();
        return;
      }
      const waited = `${this.options.pingTimeoutMs / 1000}s`;
      this.connection.onDead(
        new KubeletError(`http2: client connection lost: the API server did not answer a ping within ${waited}`, {
          code: 'unavailable',
        }),
      );
    });
  }
}
