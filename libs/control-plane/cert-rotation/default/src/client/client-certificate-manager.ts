import {
  CLOCK,
  LOGGER,
  METRICS,
  needs,
  optional,
  pick,
  RANDOM,
  type Health,
  type Needs,
} from '@podwright/assembly-interface';
import { CREDENTIALS_LOST } from '@podwright/cert-rotation-interface';
import type { CertificateManager, CertificatePair } from '@podwright/cert-rotation-interface';
import { hasCode, KubeletError } from '@podwright/errors';
import { KUBE_CLIENT, KUBE_CLIENT_FACTORY, KUBE_TRANSPORT } from '@podwright/kube-client-interface';
import { readKubeconfig } from '@podwright/kubeconfig';
import type { Logger } from '@podwright/logging';
import { nodeTemplate } from '../request/certificate-template.js';
import { clientMetrics, registerTtl } from '../rotation/certificate-metrics.js';
import { RotatingCertificateManager } from '../rotation/rotating-certificate-manager.js';
import type { BorrowedClient, RotatingCertificateManagerOptions } from '../rotation/rotating-certificate-options.js';
import { FileCertificateStore, type FileCertificateStoreOptions } from '../store/file-certificate-store.js';
import { watchCertificate } from './certificate-watchdog.js';
import type { ClientCertificateConfig } from './client-certificate-config.js';

/** Signer of certificates.k8s.io/v1 for the client certificates of kubelets. */
export const clientSignerName = 'kubernetes.io/kube-apiserver-client-kubelet';
export const clientUsages: readonly string[] = ['digital signature', 'client auth'];
export const clientFilePrefix = 'kubelet-client';

export const clientCertificateNeeds = needs({
  client: pick(KUBE_CLIENT, 'create', 'get', 'inform'),
  clients: KUBE_CLIENT_FACTORY,
  transport: pick(KUBE_TRANSPORT, 'reloadCredentials'),
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  metrics: METRICS,
  lost: optional(CREDENTIALS_LOST),
});
export type ClientCertificateNeeds = Needs<typeof clientCertificateNeeds>;

type PairOfKubeconfig = Pick<RotatingCertificateManagerOptions, 'firstPair'> &
  Pick<FileCertificateStoreOptions, 'certFile' | 'keyFile'>;

/** {@link CertificateManager} of the kubelet's client certificate. Source: kubernetes v1.36 pkg/kubelet/certificate. */
export class ClientCertificateManager implements CertificateManager {
  private readonly stopping = new AbortController();
  private readonly logger: Logger;
  private readonly listeners = new Set<(pair: CertificatePair) => void>();
  private rotating: RotatingCertificateManager | undefined;
  private watchdog: Promise<void> | undefined;
  private reloading: Promise<void> = Promise.resolve();
  private unregister: () => void = () => undefined;

  constructor(
    private readonly deps: ClientCertificateNeeds,
    private readonly config: ClientCertificateConfig,
  ) {
    this.logger = deps.logger.with({ logger: 'client-certificate' });
  }

  async start(): Promise<void> {
    if (this.rotating !== undefined || this.stopping.signal.aborted) return;
    const { logger, config } = this;
    const { clock, random } = this.deps;
    const { firstPair, ...files } = await this.pairOfKubeconfig();
    const rotating = new RotatingCertificateManager(
      {
        clock,
        random,
        logger,
        store: new FileCertificateStore(clock, logger, {
          prefix: clientFilePrefix,
          directory: config.certDir,
          ...files,
        }),
        metrics: clientMetrics(this.deps.metrics),
        borrowClient: (current) => this.borrowClient(current),
      },
      {
        what: 'client certificate',
        signerName: clientSignerName,
        usages: clientUsages,
        template: () => nodeTemplate(config.nodeName),
        dynamicTemplate: false,
        noTemplateReason: '',
        ...(firstPair !== undefined && { firstPair }),
      },
    );
    this.rotating = rotating;
    rotating.watch((pair) => this.changed(pair));
    this.unregister = registerTtl(this.deps.metrics, 'client', clock, () => rotating.current());
    await rotating.start();
    const { exitAfterMs } = config;
    const watched = {
      exitAfterMs,
      usable: () => rotating.current() !== undefined,
      serverHealthy: () => rotating.serverHealthy(),
      lost: this.deps.lost,
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

  // Also for the certificate found at the start: the transport may have read an older one.
  private changed(pair: CertificatePair): void {
    this.reloading = this.reloading
      .then(() => this.deps.transport.reloadCredentials())
      .catch((error: unknown) => this.logger.error('Failed to activate the new client certificate', { error }));
    for (const listener of [...this.listeners]) listener(pair);
  }

  /** Uses the bootstrap credentials when there is no valid certificate to authenticate with. */
  private async borrowClient(current: CertificatePair | undefined): Promise<BorrowedClient> {
    const { bootstrapKubeconfig } = this.config;
    if (current !== undefined || bootstrapKubeconfig === '')
      return { client: this.deps.client, release: async () => undefined };
    const client = await this.deps.clients.fromKubeconfig(bootstrapKubeconfig);
    await client.start();
    return { client, release: () => client.stop() };
  }

  /**
   * The pair to begin with: files that the kubeconfig names, or a certificate inside it. kubeadm writes the latter for a
   * control plane's node, whose kubelet must store it and request its own at once.
   */
  private async pairOfKubeconfig(): Promise<PairOfKubeconfig> {
    if (this.config.kubeconfig === '') return {};
    try {
      const { clientCertificate, clientKey } = (await readKubeconfig(this.config.kubeconfig)).user;
      if (clientCertificate === undefined || clientKey === undefined) return {};
      if ('file' in clientCertificate && 'file' in clientKey)
        return { certFile: clientCertificate.file, keyFile: clientKey.file };
      return 'data' in clientCertificate && 'data' in clientKey
        ? { firstPair: { certificate: clientCertificate.data, privateKey: clientKey.data } }
        : {};
    } catch (error) {
      if (!hasCode(error, 'not-found')) throw error;
      return {};
    }
  }
}
