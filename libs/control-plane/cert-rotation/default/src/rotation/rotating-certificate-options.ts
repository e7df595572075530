import type { CertificatePair } from '@podwright/cert-rotation-interface';
import type { KubeClient } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { Clock, Random } from '@podwright/time';
import type { CertificateTemplate } from '../request/certificate-template.js';
import type { FileCertificateStore } from '../store/file-certificate-store.js';
import type { RotationMetrics } from './certificate-metrics.js';

/** A client for one request; call `release` when done. */
export interface BorrowedClient {
  readonly client: Pick<KubeClient, 'create' | 'get' | 'inform'>;
  release(): Promise<void>;
}

export interface RotatingCertificateManagerOptions {
  /** The certificate's name in messages, such as `client certificate`. */
  readonly what: string;
  readonly signerName: string;
  /** Must not include key encipherment: the manager creates ECDSA keys only. */
  readonly usages: readonly string[];
  /** undefined: there is nothing to request yet. */
  readonly template: () => CertificateTemplate | undefined;
  /** The template may change: evaluate it once a second. */
  readonly dynamicTemplate: boolean;
  /** Used and stored while the store has no valid pair, and replaced at once; PEM texts. */
  readonly firstPair?: { readonly certificate: string; readonly privateKey: string };
  /** For `CertificateManager.waitingFor`. */
  readonly noTemplateReason: string;
}

export interface RotatingCertificateManagerDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly store: FileCertificateStore;
  readonly metrics: RotationMetrics;
  /** Gets the certificate in use, which decides which credentials can request the next one. */
  readonly borrowClient: (current: CertificatePair | undefined) => Promise<BorrowedClient>;
}
