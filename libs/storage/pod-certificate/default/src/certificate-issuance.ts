import { KubeletError } from '@podwright/errors';
import type { EventRecorder } from '@podwright/events-interface';
import type { Informer } from '@podwright/kube-client-interface';
import { goQuote, type PodCertificateRequest } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Clock, Random } from '@podwright/time';
import type { RequestPurpose } from './certificate-requests.js';
import { sourceKey, type CertificateSource } from './certificate-source.js';
import {
  overdueAfterMs,
  type CertificateState,
  type IssuedCertificate,
  type SentRequest,
} from './certificate-state.js';
import { outcomeOf, type RequestOutcome } from './request-outcome.js';

/** How long a request may be missing from the watch before it counts as deleted; upstream's value. */
const assumeDeletedAfterMs = 10 * 60_000;

export interface IssuanceDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly events: Pick<EventRecorder, 'event'>;
  readonly requests: Pick<Informer<PodCertificateRequest>, 'get'>;
  /** Creates a request with a new key. */
  readonly send: (
    source: CertificateSource,
    purpose: RequestPurpose,
    signal: AbortSignal,
  ) => Promise<{ readonly name: string; readonly privateKey: string }>;
  /** The longest random delay of a renewal. */
  readonly maxJitterMs: number;
}

/**
 * The certificate of one source: requests it, waits for the signer, renews it. `advance` does what is due now; the
 * caller calls it again on each change of a request, from time to time, and after it rejected.
 *
 *     initial -> waiting -> issued -> issued with a refresh -> issued ...
 *                   \--------------------------\---> denied, failed
 */
export class CertificateIssuance {
  private current: CertificateState = { type: 'initial' };
  /** About the certificate in use: each is reported once. */
  private readonly reported = new Set<'overdue' | 'expired'>();

  constructor(
    private readonly deps: IssuanceDeps,
    readonly source: CertificateSource,
  ) {}

  get state(): CertificateState {
    return this.current;
  }

  /** Never called twice at a time. Rejects when it has to be tried again. */
  async advance(signal: AbortSignal): Promise<void> {
    const state = this.current;
    switch (state.type) {
      case 'initial':
        this.enter({ type: 'waiting', request: await this.send('initial', signal) });
        return;
      case 'waiting':
        this.follow(state.request, { type: 'initial' });
        return;
      case 'issued':
        if (state.refresh !== undefined) {
          const { certificate } = state;
          if (this.follow(state.refresh, { type: 'issued', certificate }) === 'pending') this.reportLate(certificate);
        } else if (this.deps.clock.now() >= state.certificate.beginRefreshAtMs) {
          this.reportLate(state.certificate);
          this.enter({ ...state, refresh: await this.send('refresh', signal) });
        }
        return;
      case 'denied':
      case 'failed':
        return;
    }
  }

  private async send(purpose: RequestPurpose, signal: AbortSignal): Promise<SentRequest> {
    const sent = await this.deps.send(this.source, purpose, signal);
    return { ...sent, abandonAtMs: this.deps.clock.monotonic() + assumeDeletedAfterMs + this.jitterMs() };
  }

  /** Reads what the signer decided; a request that is gone leads back to `before`. */
  private follow({ name, privateKey, abandonAtMs }: SentRequest, before: CertificateState): RequestOutcome['type'] {
    const { requests, clock } = this.deps;
    const { namespace = '' } = this.source.pod.metadata;
    const request = requests.get(namespace, name);
    if (request === undefined) {
      // The watch may be late, and nothing says how late.
      if (clock.monotonic() <= abandonAtMs) return 'pending';
      this.enter(before);
      const message = `PodCertificateRequest ${goQuote(`${namespace}/${name}`)} appears to have been deleted`;
      throw new KubeletError(message, { code: 'not-found' });
    }
    const outcome = outcomeOf(request);
    if (outcome.type === 'issued') {
      const { certificateChain, notAfterMs } = outcome;
      const beginRefreshAtMs = outcome.beginRefreshAtMs + this.jitterMs();
      this.reported.clear();
      this.enter({
        type: 'issued',
        certificate: { privateKey, certificateChain, beginRefreshAtMs, notAfterMs },
      });
    } else if (outcome.type !== 'pending') {
      const { type, reason, message } = outcome;
      this.enter(outcome);
      const verb = type === 'denied' ? 'was denied' : 'failed';
      const why = `reason=${goQuote(reason)}, message=${goQuote(message)}`;
      this.warn(type === 'denied' ? 'Denied' : 'Failed', `PodCertificateRequest ${namespace}/${name} ${verb}, ${why}`);
    }
    return outcome.type;
  }

  private reportLate({ beginRefreshAtMs, notAfterMs }: IssuedCertificate): void {
    const nowMs = this.deps.clock.now();
    if (nowMs > beginRefreshAtMs + overdueAfterMs && !this.reported.has('overdue')) {
      this.reported.add('overdue');
      this.warn('CertificateOverdueForRefresh', 'PodCertificate refresh overdue');
    }
    if (nowMs > notAfterMs && !this.reported.has('expired')) {
      this.reported.add('expired');
      this.warn('CertificateExpired', 'PodCertificate expired');
    }
  }

  private warn(reason: string, message: string): void {
    this.deps.events.event({ kind: 'Pod', pod: this.source.pod }, 'Warning', reason, message);
  }

  private enter(state: CertificateState): void {
    this.current = state;
    this.deps.logger.debug(4, 'The certificate of a pod is in another state', {
      key: sourceKey(this.source),
      state: state.type,
    });
  }

  // So that the certificates of many pods are not renewed at the same moment.
  private jitterMs(): number {
    return this.deps.random.next(`pod-certificate ${sourceKey(this.source)}`) * this.deps.maxJitterMs;
  }
}
