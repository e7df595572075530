import type { Socket } from 'node:net';
import { hasCode, KubeletError } from '@podwright/errors';
import { parseServer } from '@podwright/kubeconfig';
import type { Kubeconfig, ServerAddress } from '@podwright/kubeconfig';
import type { KubeHttpRequest, KubeHttpResponse } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { Clock } from '@podwright/time';
import { Credentials } from '../credentials/credentials.js';
import { describeConnectionFault } from './connection-fault.js';
import { ConnectionPool } from './connection-pool.js';
import { decompressed } from './decompressed-body.js';
import { dial } from './dial.js';
import type { DialTarget } from './dial.js';
import type { KubeTransportConfig } from '../kube-transport-config.js';
import { chooseProxy } from './proxy-choice.js';
import { transportMetrics } from '../transport-metrics.js';

export interface ServerConnectionsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly environment: NodeJS.ProcessEnv;
}

/** Connections with the credentials of one kubeconfig. */
export class ServerConnections {
  readonly server: ServerAddress;
  readonly credentials: Credentials;
  readonly pool: ConnectionPool;
  private readonly target: DialTarget;
  private readonly compressed: boolean;

  /** Throws `invalid-argument` for an invalid address or proxy. */
  constructor(
    private readonly kubeconfig: Kubeconfig,
    private readonly deps: ServerConnectionsDeps,
    config: KubeTransportConfig,
  ) {
    const { cluster, file } = kubeconfig;
    const server = parseServer(cluster.server);
    if (typeof server === 'string') {
      throw new KubeletError(`kubeconfig ${file}: ${server}`, { code: 'invalid-argument' });
    }
    this.server = server;
    this.compressed = cluster.disableCompression !== true;
    const { lookups } = transportMetrics(deps.metrics);
    this.target = {
      server,
      proxy: chooseProxy(server, cluster.proxyUrl, deps.environment),
      serverName: cluster.tlsServerName ?? server.host,
      insecure: cluster.insecureSkipTlsVerify === true,
      dialTimeoutMs: config.dialTimeoutMs,
      tlsHandshakeTimeoutMs: config.tlsHandshakeTimeoutMs,
      onLookup: (host, seconds) => lookups.observe(seconds, { host }),
    };
    this.credentials = new Credentials(kubeconfig, {
      ...deps,
      tokenMaxAgeMs: config.tokenMaxAgeMs,
      execTimeoutMs: config.execTimeoutMs,
      secure: server.secure,
      onRotated: () => this.rotated(),
    });
    this.pool = new ConnectionPool(deps.clock, {
      authority: new URL(server.url).host,
      dial: (protocols, signal) => this.dial(protocols, signal),
      describe: (error) => this.describe(error),
      http2: server.secure && config.http2 && (deps.environment['DISABLE_HTTP2'] ?? '') === '',
      readIdleTimeoutMs: config.readIdleTimeoutMs,
      pingTimeoutMs: config.pingTimeoutMs,
      idleConnectionTimeoutMs: config.idleConnectionTimeoutMs,
    });
  }

  async send(request: KubeHttpRequest, signal: AbortSignal): Promise<KubeHttpResponse> {
    const credentials = await this.credentials.forRequest();
    const { method, path, headers, body } = request;
    const unpack = this.compressed && headers['accept-encoding'] === undefined;
    const response = await this.pool.send(
      {
        method,
        path: `${this.server.basePath}${path}`,
        headers: { ...(unpack && { 'accept-encoding': 'gzip' }), ...credentials.headers, ...headers },
        ...(body !== undefined && { body }),
      },
      signal,
    );
    if (response.status === 401) credentials.refused();
    return unpack ? decompressed(response) : response;
  }

  /** The client certificate has changed: as upstream, closes all connections that use the old one. */
  rotated(): void {
    this.deps.logger.info(
      'certificate rotation detected, shutting down client connections to start using new credentials',
    );
    this.pool.closeAll(new KubeletError('the client certificate was rotated', { code: 'unavailable' }));
  }

  private async dial(protocols: readonly string[], signal: AbortSignal): Promise<Socket> {
    const { server, credentials } = this;
    // Missing credentials are reported to the caller, and are not a failure of the server.
    const context = server.secure ? await credentials.secureContext() : undefined;
    try {
      const tls = context === undefined ? undefined : { context, protocols };
      return await dial(this.target, tls, this.deps.clock, signal);
    } catch (cause) {
      if (signal.aborted) throw cause;
      throw new KubeletError(this.describe(cause), { code: 'unavailable', cause });
    }
  }

  private describe(cause: unknown): string {
    if (hasCode(cause, 'unavailable')) return (cause as Error).message;
    const { host, port } = this.server;
    return describeConnectionFault(cause, {
      host,
      port,
      kubeconfig: this.kubeconfig.file,
      nowMs: this.deps.clock.now(),
    });
  }
}
