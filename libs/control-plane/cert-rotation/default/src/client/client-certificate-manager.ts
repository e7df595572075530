import { CLOCK, LOGGER, METRICS, RANDOM, type Health, decodeOptions } from '@podwright/assembly-interface';
import { CREDENTIALS_LOST } from '@podwright/cert-rotation-interface';
import type { CertificateManager, CertificatePair, CredentialsLost } from '@podwright/cert-rotation-interface';
import { hasCode, KubeletError } from '@podwright/errors';
import { KUBE_CLIENT, KUBE_CLIENT_FACTORY, KUBE_TRANSPORT } from '@podwright/kube-client-interface';
import type { KubeClient, KubeClientFactory, KubeTransport } from '@podwright/kube-client-interface';
import { readKubeconfig } from '@podwright/kubeconfig';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { Clock, Random } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { nodeTemplate } from '../request/certificate-template.js';
import { clientMetrics, registerTtl } from '../rotation/certificate-metrics.js';
import { RotatingCertificateManager, type BorrowedClient } from '../rotation/rotating-certificate-manager.js';
import { FileCertificateStore } from '../store/file-certificate-store.js';
import { watchCertificate } from './certificate-watchdog.js';
import { CLIENT_CERTIFICATE_CONFIG, clientCertificateConfigSchema } from './client-certificate-config.js';
import type { ClientCertificateConfig } from './client-certificate-config.js';

/** In certificates.k8s.io/v1: who signs certificates with which kubelets show themselves to the API server. */
export const clientSignerName = 'kubernetes.io/kube-apiserver-client-kubelet';
export const clientUsages: readonly string[] = ['digital signature', 'client auth'];
export const clientFilePrefix = 'kubelet-client';

type RequestClient = Pick<KubeClient, 'create' | 'get' | 'inform'>;

/** {@link CertificateManager} of the certificate that the transport shows. Source: kubernetes v1.36 pkg/kubelet/certificate. */
@injectable()
export class ClientCertificateManager implements CertificateManager {
  private readonly stopping = new AbortController();
  private readonly logger: Logger;
  private readonly listeners = new Set<(pair: CertificatePair) => void>();
  private rotating: RotatingCertificateManager | undefined;
  private watchdog: Promise<void> | undefined;
  private reloading: Promise<void> = Promise.resolve();
  private unregister: () => void = () => undefined;

  constructor(
    @inject(KUBE_CLIENT) private readonly client: RequestClient,
    @inject(KUBE_CLIENT_FACTORY) private readonly clients: KubeClientFactory,
    @inject(KUBE_TRANSPORT) private readonly transport: Pick<KubeTransport, 'reloadCredentials'>,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(RANDOM) private readonly random: Random,
    @inject(LOGGER) logger: Logger,
    @inject(METRICS) private readonly metrics: MetricsRegistry,
    @inject(CLIENT_CERTIFICATE_CONFIG) private readonly config: ClientCertificateConfig,
    @inject(CREDENTIALS_LOST, { isOptional: true }) private readonly lost?: CredentialsLost,
  ) {
    this.logger = logger.with({ logger: 'client-certificate' });
  }

  async start(): Promise<void> {
    if (this.rotating !== undefined || this.stopping.signal.aborted) return;
    const { clock, random, logger, config } = this;
    const rotating = new RotatingCertificateManager(
      {
        clock,
        random,
        logger,
        store: new FileCertificateStore(clock, logger, {
          prefix: clientFilePrefix,
          directory: config.certDir,
          ...(await this.filesOfKubeconfig()),
        }),
        metrics: clientMetrics(this.metrics),
        borrowClient: (current) => this.borrowClient(current),
      },
      {
        what: 'client certificate',
        signerName: clientSignerName,
        usages: clientUsages,
        template: () => nodeTemplate(config.nodeName),
        dynamicTemplate: false,
        noTemplateReason: '',
      },
    );
    this.rotating = rotating;
    rotating.watch((pair) => this.changed(pair));
    this.unregister = registerTtl(this.metrics, 'client', clock, () => rotating.current());
    await rotating.start();
    const { exitAfterMs } = config;
    const watched = {
      exitAfterMs,
      usable: () => rotating.current() !== undefined,
      serverHealthy: () => rotating.serverHealthy(),
      lost: this.lost,
    };
    this.watchdog = watchCertificate(clock, logger, watched, this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the certificate manager was stopped', { code: 'cancelled' }));
    this.unregister();
    await this.rotating?.stop();
    await this.watchdog;
    await this.reloading;
  }

  current(): CertificatePair | undefined {
    return this.rotating?.current();
  }

  watch(listener: (pair: CertificatePair) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  waitingFor(): string | undefined {
    return this.rotating?.waitingFor();
  }

  healthy(): Health {
    return this.rotating?.healthy() ?? { ok: false, reason: 'the client certificate is not looked after yet' };
  }

  // Also for the certificate that was there at the start: the transport may have read an older one.
  private changed(pair: CertificatePair): void {
    this.reloading = this.reloading
      .then(() => this.transport.reloadCredentials())
      .catch((error: unknown) =>
        this.logger.error('The new client certificate could not be taken into use', { error }),
      );
    for (const listener of [...this.listeners]) listener(pair);
  }

  /** Who has no valid certificate any more cannot ask for one with it. */
  private async borrowClient(current: CertificatePair | undefined): Promise<BorrowedClient> {
    const { bootstrapKubeconfig } = this.config;
    if (current !== undefined || bootstrapKubeconfig === '')
      return { client: this.client, release: async () => undefined };
    const client = await this.clients.fromKubeconfig(bootstrapKubeconfig);
    await client.start();
    return { client, release: () => client.stop() };
  }

  private async filesOfKubeconfig(): Promise<{ certFile?: string; keyFile?: string }> {
    if (this.config.kubeconfig === '') return {};
    try {
      const { clientCertificate, clientKey } = (await readKubeconfig(this.config.kubeconfig)).user;
      if (clientCertificate === undefined || clientKey === undefined) return {};
      return 'file' in clientCertificate && 'file' in clientKey
        ? { certFile: clientCertificate.file, keyFile: clientKey.file }
        : {};
    } catch (error) {
      if (!hasCode(error, 'not-found')) throw error;
      return {};
    }
  }
}

export interface ClientCertificateDeps {
  readonly client: RequestClient;
  readonly clients: KubeClientFactory;
  readonly transport: Pick<KubeTransport, 'reloadCredentials'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly lost?: CredentialsLost;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createClientCertificate(
  { client, clients, transport, clock, random, logger, metrics, lost }: ClientCertificateDeps,
  options: Partial<ClientCertificateConfig>,
): ClientCertificateManager {
  const config = decodeOptions('cert-rotation', clientCertificateConfigSchema, options);
  return new ClientCertificateManager(client, clients, transport, clock, random, logger, metrics, config, lost);
}
