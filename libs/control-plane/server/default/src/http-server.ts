import { LOGGER } from '@podwright/assembly-interface';
import type { Logger } from '@podwright/logging';
import type { KubeletServer } from '@podwright/server-interface';
import { inject, injectable } from 'tsyringe';
import { KubeletEndpoints, createKubeletEndpoints, type EndpointsDeps } from './endpoints/kubelet-endpoints.js';
import { Listener, type ListenerOptions } from './listener.js';
import { SERVER_CONFIG, type ServerConfig } from './server-config.js';

/** {@link KubeletServer} with the healthz listener and the read-only port. */
@injectable()
export class HttpServer implements KubeletServer {
  private healthz: Listener | undefined;
  private readOnly: Listener | undefined;

  constructor(
    @inject(KubeletEndpoints) private readonly endpoints: Pick<KubeletEndpoints, 'main' | 'readOnly' | 'healthz'>,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(SERVER_CONFIG) private readonly config: ServerConfig,
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
        routes: this.endpoints.healthz(),
      });
      await this.healthz.listen();
    }
    if (readOnlyPort > 0) {
      this.readOnly = this.listener('the read-only port', {
        fields: 'address and readOnlyPort',
        host: address,
        port: readOnlyPort,
        routes: this.endpoints.readOnly(),
      });
      await this.readOnly.listen();
    }
  }

  private listener(name: string, options: Pick<ListenerOptions, 'fields' | 'host' | 'port' | 'routes'>): Listener {
    const onError = (error: unknown): void => this.logger.error('Request failed', { listener: name, error });
    return new Listener({ ...options, name, onError });
  }
}

export interface HttpServerDeps extends EndpointsDeps {
  readonly logger: Logger;
}

/** Without DI. */
export function createHttpServer(deps: HttpServerDeps, config: ServerConfig): KubeletServer {
  return new HttpServer(createKubeletEndpoints(deps), deps.logger, config);
}
