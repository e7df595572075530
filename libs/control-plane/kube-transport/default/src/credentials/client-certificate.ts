import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import type { Kubeconfig } from '@podwright/kubeconfig';
import { isKeyOf, readCertificate } from '@podwright/x509';
import { readSource } from './credential-source.js';

/** A certificate chain and its key, PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/**
 * The client certificate of a kubeconfig, reread on request. A missing file is no error: bootstrap writes it. Keeps the
 * previous pair when certificate and key do not match, as between the writes of two files.
 */
export class ClientCertificate {
  private pair: KeyPair | undefined;
  private fault: string | undefined;

  constructor(private readonly kubeconfig: Kubeconfig) {}

  /** Whether the kubeconfig names a client certificate. */
  get expected(): boolean {
    return this.kubeconfig.user.clientCertificate !== undefined;
  }

  /** Whether it comes from files, which may change. */
  get fromFiles(): boolean {
    const { clientCertificate, clientKey } = this.kubeconfig.user;
    return [clientCertificate, clientKey].some((source) => source !== undefined && 'file' in source);
  }

  current(): KeyPair | undefined {
    return this.pair;
  }

  /** Why there is no certificate, or why a newer one was rejected; undefined without a problem. */
  problem(): string | undefined {
    return this.fault;
  }

  /** Rereads the certificate. Resolves with true when it has changed, including the first one. Never rejects. */
  async reload(): Promise<boolean> {
    const { clientCertificate, clientKey } = this.kubeconfig.user;
    if (clientCertificate === undefined || clientKey === undefined) return false;
    try {
      const [certificate, key] = await Promise.all([readSource(clientCertificate), readSource(clientKey)]);
      this.fault = undefined;
      if (this.pair?.certificate === certificate && this.pair.key === key) return false;
      if (!isKeyOf(readCertificate(certificate).publicKey, key)) {
        throw new KubeletError('tls: private key does not match public key', { code: 'invalid-argument' });
      }
      this.pair = { certificate, key };
      return true;
    } catch (error) {
      this.fault = this.describe(error);
      return false;
    }
  }

  private describe(error: unknown): string {
    const { file, userName, user } = this.kubeconfig;
    const place =
      user.clientCertificate !== undefined && 'file' in user.clientCertificate ? user.clientCertificate.file : file;
    const whose = `user ${JSON.stringify(userName)} of ${file}`;
    // A file of another name is not written by the kubelet.
    const comes = place.endsWith('-current.pem')
      ? "it comes with the approval of the node's certificate signing request, see kubectl get csr"
      : 'nobody makes it here, put it there or name another file';
    return hasCode(error, 'not-found') && this.pair === undefined
      ? `waiting for the client certificate ${place} (${whose}): ${messageOf(error)}; ${comes}`
      : `the client certificate ${place} (${whose}) cannot be used: ${messageOf(error)}`;
  }
}
