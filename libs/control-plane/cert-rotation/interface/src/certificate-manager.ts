import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/** A certificate in use. All text is PEM. */
export interface CertificatePair {
  /** The leaf first, then the chain. */
  readonly certificate: string;
  readonly privateKey: string;
  /** Wall-clock milliseconds since 1970. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
}

/**
 * Keeps one certificate on the disk and fresh: asks for the next one at 70-90 % of its lifetime through a
 * CertificateSigningRequest. `start()` does not wait for a server; the first certificate may come later. Source: kubernetes
 * v1.36 staging/src/k8s.io/client-go/util/certificate/certificate_manager.go.
 */
export interface CertificateManager extends Lifecycle, HealthReporter {
  /** The certificate to use now; undefined when there is none, or only an expired one. */
  current(): CertificatePair | undefined;
  /** Called after each change, also the first certificate. Must not throw. Returns unsubscribe. */
  watch(listener: (pair: CertificatePair) => void): () => void;
  /**
   * What is being waited for, in a sentence with the command that helps (`kubectl certificate approve csr-x`); undefined
   * when all is well.
   */
  waitingFor(): string | undefined;
}

/** The certificate with which the kubelet shows itself to the API server; absent unless `rotateCertificates`. */
export const CLIENT_CERTIFICATE = createToken<CertificateManager>('kubelet.client-certificate/v1');

/** The certificate of the kubelet's own HTTPS server: from files, by CSR, or self-signed. */
export const SERVING_CERTIFICATE = createToken<CertificateManager>('kubelet.serving-certificate/v1');
