import type { Health } from '@podwright/assembly-interface';
import type { CertificateManager, CertificatePair } from '@podwright/cert-rotation-interface';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { FailureLog } from '@podwright/logging';
import { jitter, linkSignals } from '@podwright/time';
import { createCertificateRequest, generatePrivateKey } from '@podwright/x509';
import { awaitCertificate } from '../request/await-certificate.js';
import { sameTemplate, unsatisfied, type CertificateTemplate } from '../request/certificate-template.js';
import { submitRequest } from '../request/signing-request.js';
import { readPair, type StoredPair } from '../store/stored-pair.js';
import { describeRequestState, type RequestState } from './certificate-request-state.js';
import type {
  RotatingCertificateManagerDeps,
  RotatingCertificateManagerOptions,
  BorrowedClient,
} from './rotating-certificate-options.js';
import { rotationDeadline } from './rotation-deadline.js';
import { showsHealthyServer } from './server-health.js';

const periodMs = 1_000;
const issueTimeoutMs = 15 * 60_000;
// Five attempts with growing pauses, then one every half minute.
const growingWaitsMs = [2_000, 4_000, 8_000, 16_000];
const steadyWaitMs = 32_000;
const sayPendingAfterMs = 60_000;
// Check the deadline again from time to time, because the clock may be set and the machine may sleep.
const longestSleepMs = 3_600_000;

/** {@link CertificateManager} that uses CertificateSigningRequests. Source: as the interface. */
export class RotatingCertificateManager implements CertificateManager {
  private readonly listeners = new Set<(pair: CertificatePair) => void>();
  private readonly stopping = new AbortController();
  private pair: StoredPair | undefined;
  private mustRotate = false;
  private healthyServer = false;
  private lastTemplate: CertificateTemplate | undefined;
  private cancelRequest: () => void = () => undefined;
  private wake: () => void = () => undefined;
  private state: RequestState = { phase: 'idle' };
  private work: Promise<unknown> | undefined;
  private readonly failureLog: FailureLog;

  constructor(
    private readonly deps: RotatingCertificateManagerDeps,
    private readonly options: RotatingCertificateManagerOptions,
  ) {
    this.failureLog = new FailureLog(deps.logger, deps.clock);
  }

  async start(): Promise<void> {
    if (this.work !== undefined || this.stopping.signal.aborted) return;
    const { store, clock } = this.deps;
    await store.recover();
    const stored = await store.load();
    this.mustRotate = stored === undefined || clock.now() >= stored.notAfterMs;
    // As upstream, an expired certificate counts as none: the next one replaces nothing.
    const pair = this.mustRotate ? await this.storeFirstPair() : stored;
    if (pair !== undefined) this.adopt(pair);
    const { signal } = this.stopping;
    this.work = Promise.all([
      clock.every(periodMs, () => this.rotateInTime(signal), signal),
      this.options.dynamicTemplate ? clock.every(periodMs, () => this.watchTemplate(), signal) : undefined,
    ]);
  }

  private async storeFirstPair(): Promise<StoredPair | undefined> {
    const { firstPair } = this.options;
    if (firstPair === undefined) return undefined;
    const pair = readPair(firstPair.certificate, firstPair.privateKey);
    await this.deps.store.save(firstPair.certificate, firstPair.privateKey).catch((error: unknown) => {
      this.deps.logger.error('Unable to set the cert/key pair to the bootstrap certificate', { error });
    });
    return pair;
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the certificate manager was stopped', { code: 'cancelled' }));
    await this.work;
  }

  current(): CertificatePair | undefined {
    if (this.pair === undefined || this.deps.clock.now() > this.pair.notAfterMs) return undefined;
    const { certificate, privateKey, notBeforeMs, notAfterMs } = this.pair;
    return { certificate, privateKey, notBeforeMs, notAfterMs };
  }

  watch(listener: (pair: CertificatePair) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  waitingFor(): string | undefined {
    return describeRequestState(this.options.what, this.state);
  }

  healthy(): Health {
    if (this.current() !== undefined) return { ok: true };
    return {
      ok: false,
      reason: `there is no valid ${this.options.what}; ${this.waitingFor() ?? 'none was asked for yet'}`,
    };
  }

  /** True when the last request showed that the API server is alive. */
  serverHealthy(): boolean {
    return this.healthyServer;
  }

  private async rotateInTime(signal: AbortSignal): Promise<void> {
    if (!(await this.deadlinePassed(signal)) || signal.aborted) return;
    if (this.options.template() === undefined) {
      this.state = { phase: 'no-template', reason: this.options.noTemplateReason };
      return;
    }
    for (const waitMs of [0, ...growingWaitsMs]) {
      if (waitMs > 0) await this.pause(jitter(this.deps.random, waitMs, 0.1), signal);
      if (signal.aborted || (await this.rotate(signal))) return;
    }
    this.deps.logger.debug(2, 'Reached backoff limit, still unable to rotate certs', { waitingFor: this.waitingFor() });
    do await this.pause(steadyWaitMs, signal);
    while (!signal.aborted && !(await this.rotate(signal)));
  }

  /** Waits for the deadline or a changed template; false when there is no need to rotate after all. */
  private async deadlinePassed(signal: AbortSignal): Promise<boolean> {
    const { clock, logger } = this.deps;
    const deadlineMs = this.nextDeadline();
    if (deadlineMs > clock.now()) logger.debug(2, 'Waiting for next certificate rotation', { deadlineMs });
    while (!signal.aborted && clock.now() < deadlineMs) {
      const waking = linkSignals(signal);
      this.wake = () => waking.abort();
      await this.pause(Math.min(deadlineMs - clock.now(), longestSleepMs), waking.signal);
      waking.dispose();
      this.wake = () => undefined;
      if (!waking.signal.aborted || signal.aborted) continue;
      if (sameTemplate(this.lastTemplate, this.options.template())) return false;
      logger.debug(2, 'Certificate template changed, rotating');
      return true;
    }
    return true;
  }

  private nextDeadline(): number {
    const { clock, random, logger } = this.deps;
    if (this.mustRotate || this.pair === undefined || this.lacking() !== undefined) {
      this.mustRotate = false;
      return clock.now();
    }
    const deadlineMs = rotationDeadline(this.pair, random);
    logger.debug(2, 'Certificate rotation deadline determined', { notAfterMs: this.pair.notAfterMs, deadlineMs });
    return deadlineMs;
  }

  private lacking(): string | undefined {
    if (this.pair === undefined) return 'there is none';
    const template = this.options.template();
    return template === undefined ? undefined : unsatisfied(template, this.pair.leaf);
  }

  private watchTemplate(): void {
    const lacking = this.lacking();
    if (lacking === undefined || sameTemplate(this.lastTemplate, this.options.template())) return;
    this.deps.logger.debug(2, 'Current certificate does not satisfy its template', { lacking });
    this.cancelRequest();
    this.wake();
  }

  /** One attempt; true when there is a new certificate. Never rejects. */
  private async rotate(signal: AbortSignal): Promise<boolean> {
    const { logger, metrics, clock } = this.deps;
    logger.debug(2, 'Rotating certificates');
    this.state = { phase: 'asking' };
    try {
      const stored = await this.request(signal);
      const old = this.pair;
      this.healthyServer = true;
      this.state = { phase: 'idle' };
      if (old !== undefined) metrics.rotated(clock.now() - old.notBeforeMs);
      this.failureLog.over('The certificate could be renewed', { what: this.options.what });
      logger.info('New certificate', { what: this.options.what, notAfter: new Date(stored.notAfterMs).toISOString() });
      this.adopt(stored);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      metrics.renewFailed();
      this.state = { phase: 'failed', reason: messageOf(error) };
      return false;
    }
  }

  private async request(signal: AbortSignal): Promise<StoredPair> {
    const { store, borrowClient } = this.deps;
    const template = this.options.template();
    if (template === undefined) throw new KubeletError('no template available', { code: 'failed-precondition' });
    const privateKey = await generatePrivateKey();
    const { commonName, organizations, dnsNames, ipAddresses } = template;
    const request = createCertificateRequest({
      subject: { commonName, organizations },
      dnsNames,
      ipAddresses,
      privateKey,
    });
    const borrowed = await this.attempt('Unable to load a client to request certificates', () =>
      borrowClient(this.current()),
    );
    try {
      const chain = await this.signedChain(borrowed.client, request, template, signal);
      return await this.attempt('Unable to store the new cert/key pair', () => store.save(chain, privateKey));
    } finally {
      await borrowed.release();
    }
  }

  private async signedChain(
    client: BorrowedClient['client'],
    request: string,
    template: CertificateTemplate,
    signal: AbortSignal,
  ): Promise<string> {
    const { clock, logger } = this.deps;
    const { signerName, usages, what } = this.options;
    const submitted = await this.attempt(
      'Failed while requesting a signed certificate from the control plane',
      async () => {
        try {
          return await submitRequest(client, { request, signerName, usages }, { clock, logger }, signal);
        } catch (error) {
          this.healthyServer = showsHealthyServer(error);
          throw error;
        }
      },
    );
    const deadline = clock.deadline(issueTimeoutMs, signal);
    const cancelled = linkSignals(deadline.signal);
    this.lastTemplate = template;
    this.cancelRequest = () =>
      cancelled.abort(new KubeletError('another certificate is wanted now', { code: 'cancelled' }));
    const { name: csr } = submitted;
    this.state = { phase: 'pending', csr };
    const reminder = clock.setTimer(sayPendingAfterMs, () => {
      if (this.state.phase === 'pending')
        logger.warn('A certificate signing request waits for approval', {
          csr,
          what,
          help: `kubectl certificate approve ${csr}`,
        });
    });
    try {
      return await this.attempt(
        'Certificate request was not signed',
        () =>
          awaitCertificate(client, submitted, cancelled.signal, (phase) => {
            this.state = { phase, csr };
          }),
        csr,
      );
    } finally {
      reminder.cancel();
      cancelled.dispose();
      deadline.dispose();
      this.cancelRequest = () => undefined;
    }
  }

  /** Logs a failure once, with upstream's text; the caller only retries. */
  private async attempt<T>(text: string, step: () => Promise<T>, csr?: string): Promise<T> {
    try {
      return await step();
    } catch (error) {
      const { code } = KubeletError.from(error);
      const fields = { what: this.options.what, ...(csr !== undefined && { csr, ...helpFor(csr, error) }), error };
      // `cancelled` is not a failure: the manager stops, or needs another certificate now.
      if (code !== 'cancelled') this.failureLog.failed(`${text} ${code}`, text, fields);
      throw error;
    }
  }

  private adopt(pair: StoredPair): void {
    this.pair = pair;
    const current = this.current();
    if (current !== undefined) for (const listener of [...this.listeners]) listener(current);
  }

  private async pause(delayMs: number, signal: AbortSignal): Promise<void> {
    await this.deps.clock.sleep(delayMs, signal).catch(() => undefined); // The caller checks the signal.
  }
}

function helpFor(csr: string, error: unknown): Readonly<Record<string, string>> {
  if (hasCode(error, 'permission-denied'))
    return {
      help: `an approver denied it, kubectl describe csr ${csr} says why; the kubelet goes on asking, with a new request each time`,
    };
  if (hasCode(error, 'deadline-exceeded'))
    return {
      help: 'nobody approved it in time; a new request follows: kubectl get csr, kubectl certificate approve <name>',
    };
  return {};
}
