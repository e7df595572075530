import { CLOCK, LOGGER, METRICS, decodeOptions } from '@podwright/assembly-interface';
import { hasCode, KubeletError } from '@podwright/errors';
import { readKubeconfig } from '@podwright/kubeconfig';
import type { KubeHttpRequest, KubeHttpResponse, KubeTransport } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { Clock } from '@podwright/time';
import { TRACER, type Tracer } from '@podwright/tracing-interface';
import { inject, injectable } from 'tsyringe';
import { KUBE_TRANSPORT_CONFIG, kubeTransportConfigSchema } from './kube-transport-config.js';
import type { KubeTransportConfig } from './kube-transport-config.js';
import { ServerWay } from './server-way.js';
import type { ServerWayDeps } from './server-way.js';
import { transportMetrics } from './transport-metrics.js';

/** {@link KubeTransport} with server and credentials of a kubeconfig, over HTTP/2 or HTTP/1.1. */
@injectable()
export class KubeconfigTransport implements KubeTransport {
  private readonly logger: Logger;
  private readonly stopping = new AbortController();
  private readonly loops: Promise<void>[] = [];
  private way: ServerWay | undefined;
  private starting: Promise<void> | undefined;
  private saidProblem: string | undefined;

  constructor(
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) logger: Logger,
    @inject(METRICS) private readonly metrics: MetricsRegistry,
    @inject(KUBE_TRANSPORT_CONFIG) private readonly config: KubeTransportConfig,
    @inject(TRACER, { isOptional: true }) private readonly tracer?: Tracer,
  ) {
    this.logger = logger.with({ logger: 'kube-transport' });
  }

  /** Empty until the kubeconfig was read. */
  get server(): string {
    return this.way?.server.url ?? '';
  }

  /** Rejects with `not-found` or `invalid-argument` that names file, field and value. Does not wait for the server. */
  start(): Promise<void> {
    this.starting ??= this.begin();
    return this.starting;
  }

  async stop(): Promise<void> {
    if (this.stopping.signal.aborted) return void (await Promise.all(this.loops));
    this.stopping.abort(new KubeletError('the client was stopped', { code: 'unavailable' }));
    if (this.way !== undefined) transportMetrics(this.metrics).entries.add(-1);
    this.way?.pool.stop();
    this.way?.credentials.stop();
    await Promise.all(this.loops);
  }

  async send(request: KubeHttpRequest, signal: AbortSignal): Promise<KubeHttpResponse> {
    this.stopping.signal.throwIfAborted();
    const { way, tracer } = this;
    if (way !== undefined)
      return tracer === undefined ? way.send(request, signal) : traced(tracer, way, request, signal);
    throw new KubeletError(
      `waiting for the kubeconfig ${this.config.kubeconfig}, which is written when the node has joined`,
      {
        code: 'unavailable',
      },
    );
  }

  closeConnections(which: 'idle' | 'all'): void {
    if (which === 'idle') this.way?.pool.closeIdle();
    else
      this.way?.pool.closeAll(new KubeletError('the connection was closed to make a new one', { code: 'unavailable' }));
  }

  async reloadCredentials(): Promise<void> {
    const { way } = this;
    if (way === undefined) return this.open();
    await this.refreshAuthority(way);
    await this.refresh(way);
  }

  private async begin(): Promise<void> {
    try {
      await this.open();
    } catch (error) {
      if (!this.config.awaitKubeconfig || !hasCode(error, 'not-found')) throw error;
      this.logger.info('waiting for the kubeconfig', { path: this.config.kubeconfig });
      this.loops.push(this.awaitKubeconfig());
    }
  }

  private async awaitKubeconfig(): Promise<void> {
    const done = new AbortController();
    const signal = AbortSignal.any([done.signal, this.stopping.signal]);
    await this.clock.every(
      this.config.firstCertificatePollMs,
      async () => {
        try {
          await this.open();
        } catch (error) {
          this.say(error);
        }
        if (this.way !== undefined) done.abort();
      },
      signal,
    );
  }

  private async open(): Promise<void> {
    const kubeconfig = await readKubeconfig(this.config.kubeconfig);
    const deps: ServerWayDeps = {
      clock: this.clock,
      logger: this.logger,
      metrics: this.metrics,
      environment: process.env,
    };
    const way = new ServerWay(kubeconfig, deps, this.config);
    await way.credentials.load();
    // Two may have come so far, or a stop.
    if (this.way !== undefined || this.stopping.signal.aborted) return;
    this.way = way;
    const { entries, creations } = transportMetrics(this.metrics);
    entries.add(1);
    creations.increment({ result: 'miss' });
    const { certificate } = way.credentials;
    this.sayCertificate(way);
    if (certificate.fromFiles) this.loops.push(this.watchCertificate(way));
    if (kubeconfig.cluster.certificateAuthority !== undefined && 'file' in kubeconfig.cluster.certificateAuthority) {
      this.loops.push(this.every(this.config.authorityPollMs, () => this.refreshAuthority(way)));
    }
    if (!certificate.expected || certificate.current() !== undefined) way.pool.warm();
  }

  private async watchCertificate(way: ServerWay): Promise<void> {
    const { certificatePollMs, firstCertificatePollMs } = this.config;
    while (!this.stopping.signal.aborted) {
      const waitMs = way.credentials.certificate.current() === undefined ? firstCertificatePollMs : certificatePollMs;
      const slept = await this.clock.sleep(waitMs, this.stopping.signal).then(
        () => true,
        () => false,
      );
      if (slept) await this.refresh(way);
    }
  }

  /** The first certificate is no rotation: connections without one were never made. */
  private async refresh(way: ServerWay): Promise<void> {
    const had = way.credentials.certificate.current() !== undefined;
    const changed = await way.credentials.reload();
    this.sayCertificate(way);
    if (changed && had) way.rotated();
    if (changed && !this.stopping.signal.aborted) way.pool.warm();
  }

  private async refreshAuthority(way: ServerWay): Promise<void> {
    try {
      if (await way.credentials.reloadAuthority()) way.pool.retire();
    } catch (error) {
      // The known authorities stay in use.
      this.say(error);
    }
  }

  private every(periodMs: number, task: () => Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    return this.clock.sleep(periodMs, signal).then(
      () => this.clock.every(periodMs, task, signal),
      () => undefined,
    );
  }

  private sayCertificate(way: ServerWay): void {
    const problem = way.credentials.certificate.problem();
    if (problem !== undefined) return this.say(problem);
    if (this.saidProblem !== undefined) this.logger.info('the client certificate can be used');
    this.saidProblem = undefined;
  }

  /** Each problem once, however often it is met. */
  private say(problem: unknown): void {
    const text = problem instanceof Error ? problem.message : String(problem);
    if (text === this.saidProblem) return;
    this.saidProblem = text;
    this.logger.warn('credentials for the API server are not complete', { error: text });
  }
}

export interface KubeTransportDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Makes a span of each request and hands it to the server. */
  readonly tracer?: Tracer;
}

/** Makes one without a container; the caller starts and stops it. Throws `invalid-argument` for options out of range. */
export function createKubeTransport(
  deps: KubeTransportDeps,
  options: Partial<KubeTransportConfig> & Pick<KubeTransportConfig, 'kubeconfig'>,
): KubeconfigTransport {
  const config = decodeOptions('kube-client transport', kubeTransportConfigSchema, options);
  return new KubeconfigTransport(deps.clock, deps.logger, deps.metrics, config, deps.tracer);
}

/** As upstream's client: a span by method, which ends with the head of the answer. */
function traced(
  tracer: Tracer,
  way: ServerWay,
  request: KubeHttpRequest,
  signal: AbortSignal,
): Promise<KubeHttpResponse> {
  const attributes = { 'http.request.method': request.method, 'url.path': request.path };
  return tracer.trace(`HTTP ${request.method}`, { kind: 'client', attributes }, async () => {
    const response = await way.send({ ...request, headers: { ...request.headers, ...tracer.propagation() } }, signal);
    tracer.annotate({ 'http.response.status_code': response.status });
    return response;
  });
}
