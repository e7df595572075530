import type { ClientHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

/**
 * How a connection has ended, as Go's clients say it, because events of pods show it. Source: google.golang.org/grpc
 * internal/transport/http2_client.go.
 */
export class ConnectionEnd {
  private reason = 'EOF';
  private greeted = false;

  constructor(
    private readonly session: ClientHttp2Session,
    socket: Socket,
    socketPath: string,
  ) {
    session.once('remoteSettings', () => (this.greeted = true));
    // A server that is killed before it has read everything leaves this instead of an end.
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNRESET') this.reason = `read unix @->${socketPath}: read: connection reset by peer`;
    });
  }

  /** Undefined while the connection lasts. */
  words(): string | undefined {
    if (!this.session.destroyed) return undefined;
    if (this.greeted) return `error reading from server: ${this.reason}`;
    return `connection error: desc = ${JSON.stringify(`error reading server preface: ${this.reason}`)}`;
  }
}
