import type { KubeTransport } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import { formatGoDuration, type Clock } from '@podwright/time';
import { messageOf } from '@podwright/errors';
import { isCredentialsFault } from '../credentials/credentials-fault.js';

// One call that runs into its time limit may be a slow webhook; several in a row are a server that does not answer.
const mostTimeouts = 3;

/** Says once when the server is away, with what to look at, and once when it is back. */
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

  /** The last failure while the server is away. */
  get lastFailure(): unknown {
    return this.failure;
  }

  /** An answer came, whatever its status. */
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

  /** Calls back whenever a server that was away answers. Returns unsubscribe. */
  onBack(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** There was no way to the server. */
  unreachable(error: unknown): void {
    this.failure = error;
    if (this.awaySinceMs !== undefined) return;
    this.awaySinceMs = this.clock.monotonic();
    if (isCredentialsFault(error)) {
      this.logger.error(
        'There are no credentials for the API server; pods keep running, what was to be said to it is said when there are',
        { server: this.transport.server, error },
      );
      return;
    }
    this.logger.error(
      'The API server cannot be reached; pods keep running, what was to be said to it is said when it is back. ' +
        'Check that the server runs, the address in the kubeconfig, the way there (routes, firewall, DNS) and the certificates',
      { server: this.transport.server, error },
    );
  }

  /** A call ran into its time limit before an answer. */
  timedOut(error: unknown): void {
    if (++this.timeouts >= mostTimeouts) this.unreachable(error);
  }

  describe(): string | undefined {
    return this.failure === undefined ? undefined : `no way to ${this.transport.server}: ${messageOf(this.failure)}`;
  }
}
