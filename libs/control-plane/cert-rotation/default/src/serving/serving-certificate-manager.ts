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
import type { CertificateManager, CertificatePair } from '@podwright/cert-rotation-interface';
import { removeLeftovers } from '@podwright/checkpoint';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import type { NodeAddress } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { NODE_SOURCE } from '@podwright/node-status-interface';
import type { Clock } from '@podwright/time';
import { registerTtl, servingMetrics } from '../rotation/certificate-metrics.js';
import { RotatingCertificateManager } from '../rotation/rotating-certificate-manager.js';
import { FileCertificateStore } from '../store/file-certificate-store.js';
import { FileCertificateManager } from './file-certificate-manager.js';
import { hasSelfSignedPair, makeSelfSignedPair, selfSignedFiles, type PairFiles } from './self-signed-pair.js';
import type { ServingCertificateConfig } from './serving-certificate-config.js';
import { servingTemplate } from './serving-template.js';

const signerName = 'kubernetes.io/kubelet-serving';
const usages: readonly string[] = ['digital signature', 'server auth'];

export const servingCertificateNeeds = needs({
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  metrics: METRICS,
  /** Needed with `source: request`. */
  client: optional(pick(KUBE_CLIENT, 'create', 'get', 'inform')),
  node: optional(pick(NODE_SOURCE, 'getNode')),
});

/**
 * {@link CertificateManager} of the kubelet's HTTPS server, from the configured source. Source: kubernetes v1.36
 * pkg/kubelet/certificate/kubelet.go, cmd/kubelet/app/server.go InitializeTLS.
 */
export class ServingCertificateManager implements CertificateManager {
  private readonly logger: Logger;
  private readonly inner: CertificateManager;
  private unregister: () => void = () => undefined;
  private making: Promise<void> | undefined;
  private makingFault: string | undefined;

  constructor(
    private readonly deps: Needs<typeof servingCertificateNeeds>,
    private readonly config: ServingCertificateConfig,
  ) {
    this.logger = deps.logger.with({ logger: 'serving-certificate' });
    this.inner = config.source === 'request' ? this.requesting() : this.reading();
  }

  async start(): Promise<void> {
    const { source, certDir } = this.config;
    const files = selfSignedFiles(certDir);
    if (source === 'self-signed') await removeLeftovers([files.certFile, files.keyFile], this.logger);
    if (source === 'self-signed' && !(await hasSelfSignedPair(files, this.logger))) {
      // Creates two RSA keys; the start of the node need not wait for that, only clients of its port.
      this.making ??= this.make(files);
      return;
    }
    await this.inner.start();
    // As upstream, this metric exists only for requested certificates.
    if (source === 'request')
      this.unregister = registerTtl(this.deps.metrics, 'server', this.deps.clock, () => this.current());
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

  async made(): Promise<void> {
    await this.making;
  }

  healthy(): Health {
    return this.inner.healthy();
  }

  private async make(files: PairFiles): Promise<void> {
    try {
      await makeSelfSignedPair(files, this.config.nodeName, { clock: this.deps.clock, logger: this.logger });
      await this.inner.start();
    } catch (error) {
      this.makingFault = `the self-signed certificate ${files.certFile} could not be made: ${messageOf(error)}`;
      this.logger.error('Unable to generate self signed cert', { ...files, error });
    }
  }

  private get own(): { readonly clock: Clock; readonly logger: Logger } {
    return { clock: this.deps.clock, logger: this.logger };
  }

  private reading(): CertificateManager {
    const { source, certDir, certFile, keyFile, filePollMs: pollMs } = this.config;
    const files = source === 'files' ? { certFile, keyFile } : selfSignedFiles(certDir);
    return new FileCertificateManager(this.own, { ...files, pollMs });
  }

  private requesting(): CertificateManager {
    const { config } = this;
    const { client, random } = this.deps;
    if (client === undefined) this.logger.info('Certificate rotation is not enabled, no connection to the apiserver');
    const { nodeName, certDir: directory, certFile, keyFile, dnsOnly } = config;
    const prefix = 'kubelet-server';
    return new RotatingCertificateManager(
      {
        ...this.own,
        random,
        store: new FileCertificateStore(this.deps.clock, this.logger, { prefix, directory, certFile, keyFile }),
        metrics: servingMetrics(this.deps.metrics),
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
      return this.deps.node?.getNode().status?.addresses ?? [];
    } catch (error) {
      if (hasCode(error, 'unavailable')) return [];
      throw error;
    }
  }
}
