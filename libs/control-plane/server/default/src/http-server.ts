import { METRICS, needs, optional, type Needs } from '@podwright/assembly-interface';
import { SERVING_CERTIFICATE } from '@podwright/cert-rotation-interface';
import { KubeletError } from '@podwright/errors';
import { SERVER_AUTH } from '@podwright/server-auth-interface';
import { LOOPBACK_LISTENERS, type KubeletServer, type ServerAddresses } from '@podwright/server-interface';
import { TRACER } from '@podwright/tracing-interface';
import { AccessFilter } from './access/access-filter.js';
import { endpointsNeeds } from './endpoints/endpoints-needs.js';
import { KubeletEndpoints } from './endpoints/kubelet-endpoints.js';
import { Listener, type ListenerOptions } from './listener.js';
import { LocalListeners } from './local/local-listeners.js';
import { readingAccess } from './local/reading-access.js';
import { LoopbackListeners } from './loopback/loopback-listeners.js';
import type { RequestHandlerParts } from './request-handler.js';
import { requestMetrics, type ServerType } from './request-metrics.js';
import type { Route } from '@podwright/server-interface';
import { linkSignals } from '@podwright/time';
import type { ServerConfig } from './server-config.js';
import { ServingContext } from './tls/serving-context.js';

// Upstream's pause between two attempts to open the healthz listener.
const healthzRetryMs = 5_000;
const answerTimeoutMs = 4 * 3600_000;
// A node of 500 pods shows about 10 MiB of metrics; a few scrapers may ask at the same moment.
const maxAnswerBytes = 64 * 1024 * 1024;
// Answers of the read-only and the healthz port are ready in less.
const slowAfterMs = 10_000;

export const serverNeeds = needs({
  ...endpointsNeeds,
  metrics: METRICS,
  auth: optional(SERVER_AUTH),
  /** Absent: plain HTTP. */
  certificate: optional(SERVING_CERTIFICATE),
  tracer: optional(TRACER),
  /** Ports for programs on the same machine. */
  loopbackListeners: LOOPBACK_LISTENERS,
});
export type ServerNeeds = Needs<typeof serverNeeds>;

/**
 * {@link KubeletServer} with three listeners: HTTPS with access control, healthz, and the read-only port; on request
 * those of the local API; and those that modules bring.
 */
export class HttpServer implements KubeletServer {
  private main: Listener | undefined;
  private healthz: Listener | undefined;
  private readOnly: Listener | undefined;
  private readonly stopping = new AbortController();
  private healthzLoop: Promise<void> = Promise.resolve();
  private readonly endpoints: KubeletEndpoints;
  private readonly context: ServingContext | undefined;
  private readonly local: LocalListeners;
  private readonly loopback: LoopbackListeners;

  constructor(
    private readonly deps: ServerNeeds,
    private readonly config: ServerConfig,
  ) {
    const { logger, auth, certificate } = deps;
    this.endpoints = new KubeletEndpoints(deps, config);
    const mayAsk = { requestsClientCertificates: auth?.requestsClientCertificates ?? false };
    const context = (): ServingContext | undefined =>
      certificate && new ServingContext(certificate, mayAsk, logger, config);
    this.context = auth && context();
    this.local = new LocalListeners(
      { logger, context: context(), create: (...options) => this.localListener(...options) },
      config,
    );
    const { loopbackListeners } = deps;
    this.loopback = new LoopbackListeners(loopbackListeners, {
      logger,
      create: (name, { routes, access, ...options }) => {
        const own = { ...this.requestParts(routes, 'loopback'), access };
        return this.openListener(name, { ...options, requests: own });
      },
    });
  }

  async start(): Promise<void> {
    try {
      await this.startHealthz();
      await this.startReadOnly();
      await this.startMain();
      await this.local.start();
      await this.loopback.start();
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
    await Promise.all([...listeners, this.local, this.loopback].map((listener) => listener?.close()));
  }

  addresses(): ServerAddresses {
    return {
      ...this.local.addresses(),
      ...this.loopback.addresses(),
      ...(this.main !== undefined && { https: this.main.address() }),
      ...(this.healthz !== undefined && { healthz: this.healthz.address() }),
      ...(this.readOnly !== undefined && { readOnly: this.readOnly.address() }),
    };
  }

  private async startMain(): Promise<void> {
    const { enabled, address, port, maxConnections, maxPendingConnections, maxRequests, maxStreams } = this.config;
    const { verbByMethod } = this.config;
    if (!enabled) return;
    const { auth } = this.deps;
    if (auth === undefined)
      throw new KubeletError('the main port needs somebody who decides about access', { code: 'failed-precondition' });
    if (this.context === undefined)
      this.deps.logger.warn('There is no serving certificate: the main port is plain HTTP');
    const routes = this.endpoints.main();
    const listener = this.listener('the main port', {
      fields: 'address and port',
      bind: { host: address, port },
      limits: { maxConnections, maxPendingConnections },
      ...(this.context !== undefined && {
        tls: this.context.options(),
        holdUntil: this.context.untilMade(),
        onHandshakeError: (error: Error) => this.context?.handshakeFailed(error),
      }),
      requests: {
        ...this.requestParts(routes, 'readwrite'),
        access: new AccessFilter(auth, this.deps.clock, this.deps.logger, { verbByMethod }),
        limits: { maxRequests, maxStreams, answerTimeoutMs, maxAnswerBytes },
      },
    });
    this.context?.follow(listener);
    this.deps.logger.info('Starting to listen', { address, port });
    await listener.listen();
    this.main = listener;
  }

  private async startReadOnly(): Promise<void> {
    const { address, readOnlyPort } = this.config;
    if (readOnlyPort === 0) return;
    const listener = this.openListener('the read-only port', {
      fields: 'address and readOnlyPort',
      bind: { host: address, port: readOnlyPort },
      requests: this.requestParts(this.endpoints.readOnly(), 'readonly'),
    });
    this.deps.logger.info('Starting to listen read-only', { address, port: readOnlyPort });
    await listener.listen();
    this.readOnly = listener;
  }

  // When the port is taken, retry in the background: the kubelet must run even when its health endpoint cannot.
  private async startHealthz(): Promise<void> {
    if (this.config.healthzPort === 0 || (await this.listenForHealthz())) return;
    const { signal } = this.stopping;
    const opened = linkSignals(signal);
    const retry = async (): Promise<void> => {
      await this.deps.clock.sleep(healthzRetryMs, signal).catch(() => undefined);
      if (signal.aborted || (await this.listenForHealthz())) opened.abort();
    };
    this.healthzLoop = this.deps.clock.every(0, retry, opened.signal).finally(() => opened.dispose());
  }

  private async listenForHealthz(): Promise<boolean> {
    const { healthzBindAddress, healthzPort } = this.config;
    const listener = this.openListener('healthz', {
      fields: 'healthzBindAddress and healthzPort',
      bind: { host: healthzBindAddress, port: healthzPort },
      requests: { ...this.requestParts(this.endpoints.healthz(), 'readonly'), count: () => () => undefined },
    });
    try {
      await listener.listen();
      this.healthz = listener;
      return true;
    } catch (error) {
      this.deps.logger.error('Failed to start healthz server', { error });
      return false;
    }
  }

  private localListener(
    name: string,
    options: Pick<ListenerOptions, 'fields' | 'bind' | 'tls' | 'holdUntil' | 'onHandshakeError'>,
  ): Listener {
    const { maxConnections, maxPendingConnections, maxRequests, maxStreams, localReadOnly } = this.config;
    return this.listener(name, {
      ...options,
      limits: { maxConnections, maxPendingConnections },
      requests: {
        ...this.requestParts(this.endpoints.local(), 'local'),
        ...(localReadOnly && { access: readingAccess }),
        limits: { maxRequests, maxStreams, answerTimeoutMs, maxAnswerBytes },
      },
    });
  }

  private requestParts(routes: readonly Route[], serverType: ServerType): RequestHandlerParts {
    const { clock, logger, tracer } = this.deps;
    const { maxOpenConnections: maxRequests } = this.config;
    const count = requestMetrics(this.deps.metrics, serverType, routes);
    return {
      routes,
      count,
      clock,
      logger,
      tracer,
      limits: { maxRequests, maxStreams: 0, answerTimeoutMs, maxAnswerBytes },
    };
  }

  private openListener(name: string, options: Pick<ListenerOptions, 'fields' | 'bind' | 'requests'>): Listener {
    const { maxOpenConnections: maxConnections } = this.config;
    return this.listener(name, {
      ...options,
      limits: { maxConnections, maxPendingConnections: maxConnections, slowAfterMs },
    });
  }

  private listener(
    name: string,
    options: Omit<ListenerOptions, 'name' | 'onError' | 'limits'> & {
      readonly limits: Omit<ListenerOptions['limits'], 'headersTimeoutMs'>;
    },
  ): Listener {
    const { headersTimeoutMs } = this.config;
    const onError = (error: unknown): void => this.deps.logger.error('Listener failed', { listener: name, error });
    return new Listener({ ...options, name, onError, limits: { ...options.limits, headersTimeoutMs } });
  }
}
