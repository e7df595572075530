import { LOGGER, METRICS } from '@podwright/assembly-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import { PROBE_METRICS } from '@podwright/probe-interface';
import type { HealthCheck, KubeletServer } from '@podwright/server-interface';
import { STATUS_MANAGER, type StatusManager } from '@podwright/status-interface';
import { BOOTSTRAP, type Bootstrap } from '@podwright/sync-loop-interface';
import { inject, injectable } from 'tsyringe';
import { notFound } from './answer.js';
import { healthzAnswer } from './healthz.js';
import { Listener, type ListenerOptions } from './listener.js';
import { readOnlyAnswer } from './read-only-routes.js';
import { SERVER_CONFIG, type ServerConfig } from './server-config.js';

const ping: HealthCheck = { name: 'ping', check: () => ({ ok: true }) };

/** {@link KubeletServer} with the healthz listener and the read-only port. */
@injectable()
export class HttpServer implements KubeletServer {
  private healthz: Listener | undefined;
  private readOnly: Listener | undefined;

  constructor(
    @inject(POD_MANAGER) private readonly pods: PodManager,
    @inject(STATUS_MANAGER) private readonly statuses: StatusManager,
    @inject(BOOTSTRAP) private readonly bootstrap: Bootstrap,
    @inject(METRICS) private readonly metrics: MetricsRegistry,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(SERVER_CONFIG) private readonly config: ServerConfig,
    @inject(PROBE_METRICS, { isOptional: true }) private readonly probeMetrics?: Pick<MetricsRegistry, 'render'>,
  ) {}

  async start(): Promise<void> {
    try {
      await this.listen();
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    const listeners = [this.healthz, this.readOnly];
    this.healthz = undefined;
    this.readOnly = undefined;
    await Promise.all(listeners.map((listener) => listener?.close()));
  }

  addresses(): { readonly healthz?: string; readonly readOnly?: string } {
    return {
      ...(this.healthz !== undefined && { healthz: this.healthz.address() }),
      ...(this.readOnly !== undefined && { readOnly: this.readOnly.address() }),
    };
  }

  private async listen(): Promise<void> {
    const { address, readOnlyPort, healthzBindAddress, healthzPort } = this.config;
    if (healthzPort > 0) {
      this.healthz = this.listener('healthz', {
        fields: 'healthzBindAddress and healthzPort',
        host: healthzBindAddress,
        port: healthzPort,
        handle: (_method, target) => healthzAnswer([ping], target) ?? notFound,
      });
      await this.healthz.listen();
    }
    if (readOnlyPort > 0) {
      const checks: readonly HealthCheck[] = [ping, { name: 'syncloop', check: () => this.bootstrap.healthy() }];
      const { pods, statuses, metrics, probeMetrics } = this;
      this.readOnly = this.listener('the read-only port', {
        fields: 'address and readOnlyPort',
        host: address,
        port: readOnlyPort,
        handle: (method, target) => readOnlyAnswer({ pods, statuses, metrics, probeMetrics, checks }, method, target),
      });
      await this.readOnly.listen();
    }
  }

  private listener(name: string, options: Pick<ListenerOptions, 'fields' | 'host' | 'port' | 'handle'>): Listener {
    const onError = (error: unknown): void => this.logger.error('Request failed', { listener: name, error });
    return new Listener({ ...options, name, onError });
  }
}

export interface HttpServerDeps {
  readonly pods: PodManager;
  readonly statuses: StatusManager;
  readonly bootstrap: Bootstrap;
  readonly metrics: MetricsRegistry;
  /** Served as `/metrics/probes`; without them there is no such path. */
  readonly probeMetrics?: Pick<MetricsRegistry, 'render'>;
  readonly logger: Logger;
}

/** Without DI. */
export function createHttpServer(
  { pods, statuses, bootstrap, metrics, probeMetrics, logger }: HttpServerDeps,
  config: ServerConfig,
): KubeletServer {
  return new HttpServer(pods, statuses, bootstrap, metrics, logger, config, probeMetrics);
}
