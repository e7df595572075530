import { CLOCK, LOGGER, METRICS, needs, optional, type Needs } from '@podwright/assembly-interface';
import { hasCode, KubeletError } from '@podwright/errors';
import { readKubeconfig } from '@podwright/kubeconfig';
import type { KubeHttpRequest, KubeHttpResponse, KubeTransport } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import { linkSignals } from '@podwright/time';
import { TRACER, type Tracer } from '@podwright/tracing-interface';
import type { KubeTransportConfig } from './kube-transport-config.js';
import { ServerConnections } from './connections/server-connections.js';
import type { ServerConnectionsDeps } from './connections/server-connections.js';
import { transportMetrics } from './transport-metrics.js';

export const kubeTransportNeeds = needs({
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
  /** Creates a span for each request and propagates it to the server. */
  tracer: optional(TRACER),
});

/** {@link KubeTransport} with the server and credentials of a kubeconfig, over HTTP/2 or HTTP/1.1. */
export class KubeconfigTransport implements KubeTransport {
  private readonly logger: Logger;
  private readonly stopping = new AbortController();
  private readonly loops: Promise<void>[] = [];
  private connections: ServerConnections | undefined;
  private starting: Promise<void> | undefined;
  private saidProblem: string | undefined;

  constructor(
    private readonly deps: Needs<typeof kubeTransportNeeds>,
    private readonly config: KubeTransportConfig,
  ) {
    this.logger = deps.logger.with({ logger: 'kube-transport' });
  }

  /** Empty until the kubeconfig has been read. */
  get server(): string {
    return this.connections?.server.url ?? '';
  }

  /** Rejects with `not-found` or `invalid-argument`, naming file, field and value. Does not wait for the server. */
  start(): Promise<void> {
    this.starting ??= this.begin();
    return this.starting;
  }

  async stop(): Promise<void> {
    if (this.stopping.signal.aborted) return void (await Promise.all(this.loops));
    this.stopping.abort(new KubeletError('the client was stopped', { code: 'unavailable' }));
    if (this.connections !== undefined) transportMetrics(this.deps.metrics).entries.add(-1);
    this.connections?.pool.stop();
    this.connections?.credentials.stop();
    await Promise.all(this.loops);
  }

  async send(request: KubeHttpRequest, signal: AbortSignal): Promise<KubeHttpResponse> {
    this.stopping.signal.throwIfAborted();
    const { connections } = this;
    const { tracer } = this.deps;
    if (connections !== undefined)
      return tracer === undefined ? connections.send(request, signal) : traced(tracer, connections, request, signal);
    throw new KubeletError(
      `waiting for the kubeconfig ${this.config.kubeconfig}, which is written when the node has joined`,
      {
        code: 'unavailable',
      },
    );
  }

  closeConnections(which: 'idle' | 'all'): void {
    if (which === 'idle') this.connections?.pool.closeIdle();
    else
      this.connections?.pool.closeAll(
        new KubeletError('the connection was closed to make a new one', { code: 'unavailable' }),
      );
  }

  async reloadCredentials(): Promise<void> {
    const { connections } = this;
    if (connections === undefined) return this.open();
    await this.refreshAuthority(connections);
    await this.refresh(connections);
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
    const done = linkSignals(this.stopping.signal);
    await this.deps.clock.every(
      this.config.firstCertificatePollMs,
      async () => {
        try {
          await this.open();
        } catch (error) {
          this.say(error);
        }
        if (this.connections !== undefined) done.abort();
      },
      done.signal,
    );
    done.dispose();
  }

  private async open(): Promise<void> {
    const kubeconfig = await readKubeconfig(this.config.kubeconfig);
    const deps: ServerConnectionsDeps = {
      clock: this.deps.clock,
      logger: this.logger,
      metrics: this.deps.metrics,
      environment: process.env,
    };
    const connections = new ServerConnections(kubeconfig, deps, this.config);
    await connections.credentials.load();
    // A concurrent start or a stop may have come first.
    if (this.connections !== undefined || this.stopping.signal.aborted) return;
    this.connections = connections;
    const { entries, creations } = transportMetrics(this.deps.metrics);
    entries.add(1);
    creations.increment({ result: 'miss' });
    const { certificate } = connections.credentials;
    this.sayCertificate(connections);
    if (certificate.fromFiles) this.loops.push(this.watchCertificate(connections));
    const authority = kubeconfig.cluster.certificateAuthority;
    if (this.config.reloadAuthority && authority !== undefined && 'file' in authority) {
      this.loops.push(this.every(this.config.authorityPollMs, () => this.refreshAuthority(connections)));
    }
    if (!certificate.expected || certificate.current() !== undefined) connections.pool.warm();
  }

  private async watchCertificate(connections: ServerConnections): Promise<void> {
    const { certificatePollMs, firstCertificatePollMs } = this.config;
    while (!this.stopping.signal.aborted) {
      const waitMs =
        connections.credentials.certificate.current() === undefined ? firstCertificatePollMs : certificatePollMs;
      const slept = await this.deps.clock.sleep(waitMs, this.stopping.signal).then(
        () => true,
        () => false,
      );
      if (slept) await this.refresh(connections);
    }
  }

  /** The first certificate is no rotation: there were no connections without one. */
  private async refresh(connections: ServerConnections): Promise<void> {
    const had = connections.credentials.certificate.current() !== undefined;
    const changed = await connections.credentials.reload();
    this.sayCertificate(connections);
    if (changed && had) connections.rotated();
    if (changed && !this.stopping.signal.aborted) connections.pool.warm();
  }

  private async refreshAuthority(connections: ServerConnections): Promise<void> {
    if (!this.config.reloadAuthority) return;
    const { authorityReloads } = transportMetrics(this.deps.metrics);
    try {
      const isNew = await connections.credentials.reloadAuthority();
      authorityReloads.increment({ result: 'success', reason: isNew ? 'updated' : 'unchanged' });
      if (isNew) connections.pool.retire();
    } catch (error) {
      const { reason = 'read_error' } = error as { readonly reason?: string };
      authorityReloads.increment({ result: 'failure', reason });
      // The previous authorities stay in use.
      this.say(error);
    }
  }

  private every(periodMs: number, task: () => Promise<void>): Promise<void> {
    const { signal } = this.stopping;
    return this.deps.clock.sleep(periodMs, signal).then(
      () => this.deps.clock.every(periodMs, task, signal),
      () => undefined,
    );
  }

  private sayCertificate(connections: ServerConnections): void {
    const problem = connections.credentials.certificate.problem();
    if (problem !== undefined) return this.say(problem);
    if (this.saidProblem !== undefined) this.logger.info('the client certificate can be used');
    this.saidProblem = undefined;
  }

  /** Logs each problem once, however often it occurs. */
  private say(problem: unknown): void {
    const text = problem instanceof Error ? problem.message : String(problem);
    if (text === this.saidProblem) return;
    this.saidProblem = text;
    this.logger.warn('credentials for the API server are not complete', { error: text });
  }
}

/** As upstream's client: a span named by the method, which ends with the head of the answer. */
function traced(
  tracer: Tracer,
  connections: ServerConnections,
  request: KubeHttpRequest,
  signal: AbortSignal,
): Promise<KubeHttpResponse> {
  const attributes = { 'http.request.method': request.method, 'url.path': request.path };
  return tracer.trace(`HTTP ${request.method}`, { kind: 'client', attributes }, async () => {
    const response = await connections.send(
      { ...request, headers: { ...request.headers, ...tracer.propagation() } },
      signal,
    );
    tracer.annotate({ 'http.response.status_code': response.status });
    return response;
  });
}
