import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import type { Kubeconfig } from '@podwright/kubeconfig';
import { isKeyOf, readCertificate } from '@podwright/x509';
import { readSource } from './credential-source.js';

/** PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/**
 * The client certificate that a kubeconfig names, read again whenever it is asked to. A file that is not there yet is no
 * fault: bootstrap writes it. A pair that does not fit, as between the writes of two files, is left for the next look.
 */
export class ClientCertificate {
  private pair: KeyPair | undefined;
  private fault: string | undefined;

  constructor(private readonly kubeconfig: Kubeconfig) {}

  /** The kubeconfig names one. */
  get expected(): boolean {
    return this.kubeconfig.user.clientCertificate !== undefined;
  }

  /** It comes from files, which may change. */
  get fromFiles(): boolean {
    const { clientCertificate, clientKey } = this.kubeconfig.user;
    return [clientCertificate, clientKey].some((source) => source !== undefined && 'file' in source);
  }

  current(): KeyPair | undefined {
    return this.pair;
  }

  /** Why there is none, or why a newer one was not taken; undefined when all is well. */
  problem(): string | undefined {
    return this.fault;
  }

  /** Reads it again. Resolves with true when it is another one than before, the first one included. Never rejects. */
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
    // A file of another name is somebody else's to write.
    const comes = place.endsWith('-current.pem')
      ? "it comes with the approval of the node's certificate signing request, see kubectl get csr"
      : 'nobody makes it here, put it there or name another file';
    return hasCode(error, 'not-found') && this.pair === undefined
      ? `waiting for the client certificate ${place} (${whose}): ${messageOf(error)}; ${comes}`
      : `the client certificate ${place} (${whose}) cannot be used: ${messageOf(error)}`;
  }
}
