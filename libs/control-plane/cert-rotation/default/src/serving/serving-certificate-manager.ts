import { CLOCK, LOGGER, METRICS, RANDOM, type Health, decodeOptions } from '@podwright/assembly-interface';
import type { CertificateManager, CertificatePair } from '@podwright/cert-rotation-interface';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { KUBE_CLIENT, type KubeClient } from '@podwright/kube-client-interface';
import type { NodeAddress } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import { NODE_SOURCE, type NodeSource } from '@podwright/node-status-interface';
import type { Clock, Random } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { registerTtl, servingMetrics } from '../rotation/certificate-metrics.js';
import { RotatingCertificateManager } from '../rotation/rotating-certificate-manager.js';
import { FileCertificateStore } from '../store/file-certificate-store.js';
import { FileCertificateManager } from './file-certificate-manager.js';
import { hasSelfSignedPair, makeSelfSignedPair, selfSignedFiles, type PairFiles } from './self-signed-pair.js';
import { SERVING_CERTIFICATE_CONFIG, servingCertificateConfigSchema } from './serving-certificate-config.js';
import type { ServingCertificateConfig } from './serving-certificate-config.js';
import { servingTemplate } from './serving-template.js';

const signerName = 'kubernetes.io/kubelet-serving';
const usages: readonly string[] = ['digital signature', 'server auth'];

type RequestClient = Pick<KubeClient, 'create' | 'get' | 'inform'>;

/**
 * {@link CertificateManager} of the kubelet's HTTPS server, in the form that the options name. Source: kubernetes v1.36
 * pkg/kubelet/certificate/kubelet.go, cmd/kubelet/app/server.go InitializeTLS.
 */
@injectable()
export class ServingCertificateManager implements CertificateManager {
  private readonly logger: Logger;
  private readonly inner: CertificateManager;
  private unregister: () => void = () => undefined;
  private making: Promise<void> | undefined;
  private makingFault: string | undefined;

  constructor(
    @inject(CLOCK) private readonly clock: Clock,
    @inject(RANDOM) private readonly random: Random,
    @inject(LOGGER) logger: Logger,
    @inject(METRICS) private readonly metrics: MetricsRegistry,
    @inject(SERVING_CERTIFICATE_CONFIG) private readonly config: ServingCertificateConfig,
    @inject(KUBE_CLIENT, { isOptional: true }) private readonly client?: RequestClient,
    @inject(NODE_SOURCE, { isOptional: true }) private readonly node?: Pick<NodeSource, 'getNode'>,
  ) {
    this.logger = logger.with({ logger: 'serving-certificate' });
    this.inner = config.source === 'request' ? this.requesting() : this.reading();
  }

  async start(): Promise<void> {
    const { source, certDir } = this.config;
    const files = selfSignedFiles(certDir);
    if (source === 'self-signed' && !(await hasSelfSignedPair(files, this.logger))) {
      // Two RSA keys: the node need not wait for them.
      this.making ??= this.make(files);
      return;
    }
    await this.inner.start();
    // Upstream counts down for a certificate by request only.
    if (source === 'request') this.unregister = registerTtl(this.metrics, 'server', this.clock, () => this.current());
  }

  async stop(): Promise<void> {
    this.unregister();
    await this.making;
    await this.inner.stop();
  }

  current(): CertificatePair | undefined {
    return this.inner.current();
  }

  watch(listener: (pair: CertificatePair) => void): () => void {
    return this.inner.watch(listener);
  }

  waitingFor(): string | undefined {
    return this.makingFault ?? this.inner.waitingFor();
  }

  healthy(): Health {
    return this.inner.healthy();
  }

  private async make(files: PairFiles): Promise<void> {
    try {
      await makeSelfSignedPair(files, this.config.nodeName, { clock: this.clock, logger: this.logger });
      await this.inner.start();
    } catch (error) {
      this.makingFault = `the self-signed certificate ${files.certFile} could not be made: ${messageOf(error)}`;
      this.logger.error('Unable to generate self signed cert', { ...files, error });
    }
  }

  private get own(): { readonly clock: Clock; readonly logger: Logger } {
    return { clock: this.clock, logger: this.logger };
  }

  private reading(): CertificateManager {
    const { source, certDir, certFile, keyFile, filePollMs: pollMs } = this.config;
    const files = source === 'files' ? { certFile, keyFile } : selfSignedFiles(certDir);
    return new FileCertificateManager(this.own, { ...files, pollMs });
  }

  private requesting(): CertificateManager {
    const { client, random, config } = this;
    if (client === undefined) this.logger.info('Certificate rotation is not enabled, no connection to the apiserver');
    const { nodeName, certDir: directory, certFile, keyFile, dnsOnly } = config;
    const prefix = 'kubelet-server';
    return new RotatingCertificateManager(
      {
        ...this.own,
        random,
        store: new FileCertificateStore(this.clock, this.logger, { prefix, directory, certFile, keyFile }),
        metrics: servingMetrics(this.metrics),
        borrowClient: async () => {
          if (client === undefined)
            throw new KubeletError('there is no API server to ask', { code: 'failed-precondition' });
          return { client, release: async () => undefined };
        },
      },
      {
        what: 'serving certificate',
        signerName,
        usages,
        template: () => (client === undefined ? undefined : servingTemplate(nodeName, this.addresses(), dnsOnly)),
        dynamicTemplate: true,
        noTemplateReason: 'the node has no address yet',
      },
    );
  }

  private addresses(): readonly NodeAddress[] {
    try {
      return this.node?.getNode().status?.addresses ?? [];
    } catch (error) {
      if (hasCode(error, 'unavailable')) return [];
      throw error;
    }
  }
}

export interface ServingCertificateDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  /** Needed with `source: request`. */
  readonly client?: RequestClient;
  readonly node?: Pick<NodeSource, 'getNode'>;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createServingCertificate(
  { clock, random, logger, metrics, client, node }: ServingCertificateDeps,
  options: Partial<ServingCertificateConfig>,
): ServingCertificateManager {
  const config = decodeOptions('cert-rotation', servingCertificateConfigSchema, options);
  return new ServingCertificateManager(clock, random, logger, metrics, config, client, node);
}
