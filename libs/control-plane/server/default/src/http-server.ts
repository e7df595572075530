import { CLOCK, LOGGER, METRICS, decodeOptions } from '@podwright/assembly-interface';
import { SERVING_CERTIFICATE, type CertificateManager } from '@podwright/cert-rotation-interface';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import { SERVER_AUTH, type ServerAuth } from '@podwright/server-auth-interface';
import type { KubeletServer } from '@podwright/server-interface';
import type { Clock } from '@podwright/time';
import { TRACER, type Tracer } from '@podwright/tracing-interface';
import { inject, injectable } from 'tsyringe';
import { AccessFilter } from './access/access-filter.js';
import type { EndpointsDeps } from './endpoints/endpoints-deps.js';
import { KubeletEndpoints, createKubeletEndpoints } from './endpoints/kubelet-endpoints.js';
import { Listener, type ListenerOptions } from './listener.js';
import type { RequestHandlerParts } from './request-handler.js';
import { requestMetrics } from './request-metrics.js';
import type { Route } from './route.js';
import { SERVER_CONFIG, serverConfig, type ServerConfig } from './server-config.js';
import { ServingContext } from './tls/serving-context.js';

// Upstream's pause after a health listener that could not be opened.
const healthzRetryMs = 5_000;
const answerTimeoutMs = 4 * 3600_000;

/** {@link KubeletServer}: HTTPS with access control, healthz, and the read-only port. */
@injectable()
export class HttpServer implements KubeletServer {
  private main: Listener | undefined;
  private healthz: Listener | undefined;
  private readOnly: Listener | undefined;
  private readonly stopping = new AbortController();
  private healthzLoop: Promise<void> = Promise.resolve();
  private readonly context: ServingContext | undefined;

  constructor(
    @inject(KubeletEndpoints) private readonly endpoints: Pick<KubeletEndpoints, 'main' | 'readOnly' | 'healthz'>,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(METRICS) private readonly metrics: Pick<MetricsRegistry, 'counter' | 'gauge' | 'histogram'>,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(SERVER_CONFIG) private readonly config: ServerConfig,
    @inject(SERVER_AUTH, { isOptional: true }) private readonly auth?: ServerAuth,
    @inject(SERVING_CERTIFICATE, { isOptional: true }) certificate?: CertificateManager,
    @inject(TRACER, { isOptional: true }) private readonly tracer?: Tracer,
  ) {
    this.context = certificate && auth && new ServingContext(certificate, auth, logger, config);
  }

  async start(): Promise<void> {
    try {
      await this.startHealthz();
      await this.startReadOnly();
      await this.startMain();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.context?.stop();
    await this.healthzLoop;
    const listeners = [this.main, this.healthz, this.readOnly];
    this.main = undefined;
    this.healthz = undefined;
    this.readOnly = undefined;
    await Promise.all(listeners.map((listener) => listener?.close()));
  }

  addresses(): { readonly https?: string; readonly healthz?: string; readonly readOnly?: string } {
    return {
      ...(this.main !== undefined && { https: this.main.address() }),
      ...(this.healthz !== undefined && { healthz: this.healthz.address() }),
      ...(this.readOnly !== undefined && { readOnly: this.readOnly.address() }),
    };
  }

  private async startMain(): Promise<void> {
    const { enabled, address, port, maxConnections, maxPendingConnections, maxRequests, maxStreams } = this.config;
    const { verbByMethod, maxTokenChecks } = this.config;
    if (!enabled) return;
    const { auth } = this;
    if (auth === undefined)
      throw new KubeletError('the main port needs somebody who decides about access', { code: 'failed-precondition' });
    if (this.context === undefined) this.logger.warn('There is no serving certificate: the main port is plain HTTP');
    const routes = this.endpoints.main();
    const listener = this.listener('the main port', {
      fields: 'address and port',
      host: address,
      port,
      limits: { maxConnections, maxPendingConnections },
      ...(this.context !== undefined && {
        tls: this.context.options(),
        onHandshakeError: (error: Error) => this.context?.handshakeFailed(error),
      }),
      requests: {
        ...this.requestParts(routes, 'readwrite'),
        access: new AccessFilter(auth, this.clock, this.logger, { verbByMethod, maxTokenChecks }),
        limits: { maxRequests, maxStreams, answerTimeoutMs },
      },
    });
    this.logger.info('Starting to listen', { address, port });
    await listener.listen();
    this.main = listener;
    this.context?.follow(listener);
  }

  private async startReadOnly(): Promise<void> {
    const { address, readOnlyPort } = this.config;
    if (readOnlyPort === 0) return;
    const listener = this.openListener('the read-only port', {
      fields: 'address and readOnlyPort',
      host: address,
      port: readOnlyPort,
      requests: this.requestParts(this.endpoints.readOnly(), 'readonly'),
    });
    this.logger.info('Starting to listen read-only', { address, port: readOnlyPort });
    await listener.listen();
    this.readOnly = listener;
  }

  // A taken port is tried for again: that nobody can ask for the kubelet's health is no reason to have no kubelet.
  private async startHealthz(): Promise<void> {
    if (this.config.healthzPort === 0 || (await this.listenForHealthz())) return;
    const { signal } = this.stopping;
    const opened = new AbortController();
    signal.addEventListener('abort', () => opened.abort(), { once: true });
    const retry = async (): Promise<void> => {
      await this.clock.sleep(healthzRetryMs, signal).catch(() => undefined);
      if (signal.aborted || (await this.listenForHealthz())) opened.abort();
    };
    this.healthzLoop = this.clock.every(0, retry, opened.signal);
  }

  private async listenForHealthz(): Promise<boolean> {
    const { healthzBindAddress, healthzPort } = this.config;
    const listener = this.openListener('healthz', {
      fields: 'healthzBindAddress and healthzPort',
      host: healthzBindAddress,
      port: healthzPort,
      requests: { ...this.requestParts(this.endpoints.healthz(), 'readonly'), count: () => () => undefined },
    });
    try {
      await listener.listen();
      this.healthz = listener;
      return true;
    } catch (error) {
      this.logger.error('Failed to start healthz server', { error });
      return false;
    }
  }

  private requestParts(routes: readonly Route[], serverType: 'readwrite' | 'readonly'): RequestHandlerParts {
    const { clock, logger, tracer } = this;
    const { maxOpenConnections: maxRequests } = this.config;
    const count = requestMetrics(this.metrics, serverType, routes);
    return { routes, count, clock, logger, tracer, limits: { maxRequests, maxStreams: 0, answerTimeoutMs } };
  }

  private openListener(
    name: string,
    options: Pick<ListenerOptions, 'fields' | 'host' | 'port' | 'requests'>,
  ): Listener {
    const { maxOpenConnections: maxConnections } = this.config;
    return this.listener(name, { ...options, limits: { maxConnections, maxPendingConnections: maxConnections } });
  }

  private listener(
    name: string,
    options: Omit<ListenerOptions, 'name' | 'onError' | 'limits'> & {
      readonly limits: Omit<ListenerOptions['limits'], 'headersTimeoutMs'>;
    },
  ): Listener {
    const { headersTimeoutMs } = this.config;
    const onError = (error: unknown): void => this.logger.error('Listener failed', { listener: name, error });
    return new Listener({ ...options, name, onError, limits: { ...options.limits, headersTimeoutMs } });
  }
}

export interface HttpServerDeps extends EndpointsDeps {
  readonly auth: ServerAuth;
  /** Absent: plain HTTP. */
  readonly certificate?: CertificateManager;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly tracer?: Tracer;
}

/** Without DI. */
export function createHttpServer(deps: HttpServerDeps, options: Partial<ServerConfig> = {}): KubeletServer {
  const { auth, certificate, clock, logger, metrics, tracer } = deps;
  const config = decodeOptions('server', serverConfig, options);
  return new HttpServer(
    createKubeletEndpoints(deps, config),
    clock,
    metrics,
    logger,
    config,
    auth,
    certificate,
    tracer,
  );
}
