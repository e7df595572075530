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
 * Keeps one certificate valid and stored on disk: requests the next one with a CertificateSigningRequest at 70-90 % of
 * the current one's lifetime. `start()` does not wait for the API server; the first certificate may come later. Source:
 * kubernetes v1.36 staging/src/k8s.io/client-go/util/certificate/certificate_manager.go.
 */
export interface CertificateManager extends Lifecycle, HealthReporter {
  /** The certificate to use now; undefined when there is none, or only an expired one. */
  current(): CertificatePair | undefined;
  /** Calls `listener` with each new certificate, the first included. It must not throw. Returns unsubscribe. */
  watch(listener: (pair: CertificatePair) => void): () => void;
  /**
   * One sentence for an operator: what the manager waits for and the command that helps (`kubectl certificate approve
   * csr-x`). Undefined when it waits for nothing.
   */
  waitingFor(): string | undefined;
  /**
   * Resolves when the certificate that is being made here is there, or cannot be made; at once when none is being made.
   * Never rejects. Absent: certificates are only read or requested.
   */
  made?(): Promise<void>;
}

/** The client certificate that the kubelet presents to the API server; absent unless `rotateCertificates` is set. */
export const CLIENT_CERTIFICATE = createToken<CertificateManager>('kubelet.client-certificate/v1');

/** The certificate of the kubelet's own HTTPS server: read from files, requested by CSR, or self-signed. */
export const SERVING_CERTIFICATE = createToken<CertificateManager>('kubelet.serving-certificate/v1');
