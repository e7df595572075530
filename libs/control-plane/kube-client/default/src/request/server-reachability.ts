import type { KubeTransport } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import { formatGoDuration, type Clock } from '@podwright/time';
import { messageOf } from '@podwright/errors';
import { isCredentialsFault } from '@podwright/kube-client-interface';

// A single timeout may be a slow webhook; several in a row mean that the server does not answer.
const mostTimeouts = 3;

/** Logs once when the server becomes unreachable, with advice, and once when it is back. */
export class ServerReachability {
  private awaySinceMs: number | undefined;
  private timeouts = 0;
  private failure: unknown;
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly transport: Pick<KubeTransport, 'server'>,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** The last failure while the server is unreachable. */
  get lastFailure(): unknown {
    return this.failure;
  }

  /** Call it for any answer, whatever its status. */
  answered(): void {
    this.timeouts = 0;
    if (this.awaySinceMs === undefined) return;
    const awayForMs = Math.round(this.clock.monotonic() - this.awaySinceMs);
    this.awaySinceMs = undefined;
    this.failure = undefined;
    this.logger.info('The API server answers again', {
      server: this.transport.server,
      after: formatGoDuration(awayForMs),
    });
    for (const listener of [...this.listeners]) listener();
  }

  /** Calls the listener when an unreachable server answers again. Returns unsubscribe. */
  onBack(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Call it when the server could not be reached. */
  unreachable(error: unknown): void {
    this.failure = error;
    if (this.awaySinceMs !== undefined) return;
    this.awaySinceMs = this.clock.monotonic();
    if (isCredentialsFault(error)) {
      this.logger.error(
        'There are no credentials for the API server; pods keep running, and pending updates are sent once there are',
        { server: this.transport.server, error },
      );
      return;
    }
    this.logger.error(
      'The API server cannot be reached; pods keep running, and pending updates are sent when it is back. ' +
        'Check that the server runs, the address in the kubeconfig, the network (routes, firewall, DNS) and the certificates',
      { server: this.transport.server, error },
    );
  }

  /** Call it when a request timed out before an answer. */
  timedOut(error: unknown): void {
    if (++this.timeouts >= mostTimeouts) this.unreachable(error);
  }

  describe(): string | undefined {
    return this.failure === undefined ? undefined : `no way to ${this.transport.server}: ${messageOf(this.failure)}`;
  }
}
