import { readFile } from 'node:fs/promises';
import { hasCode, messageOf } from '@podwright/errors';
import { isKeyOf, readCertificates } from '@podwright/x509';
import type { FileOrData, Kubeconfig } from './kubeconfig.js';
import { readKubeconfig } from './read-kubeconfig.js';

/** Whether a kubelet can start with its kubeconfig, or needs a new client certificate first. */
export type KubeconfigCheck =
  | { readonly usable: true; readonly kubeconfig: Kubeconfig }
  /** `missing`: the file does not exist, which is normal at the first start of a node. */
  | { readonly usable: false; readonly missing: boolean; readonly reason: string };

/**
 * Checks a kubeconfig: it is usable when its user has a client certificate that fits the key, and no certificate of the
 * chain has expired. Never rejects.
 * Source: kubernetes v1.36 pkg/kubelet/certificate/bootstrap/bootstrap.go (isClientConfigStillValid).
 */
export async function checkKubeconfig(file: string, nowMs: number): Promise<KubeconfigCheck> {
  const no = (reason: string): KubeconfigCheck => ({ usable: false, missing: false, reason });
  let kubeconfig: Kubeconfig;
  try {
    kubeconfig = await readKubeconfig(file);
  } catch (error) {
    const reason = `unable to read existing bootstrap client config from ${file}: ${messageOf(error)}`;
    return { usable: false, missing: hasCode(error, 'not-found'), reason };
  }
  const { clientCertificate, clientKey } = kubeconfig.user;
  if (clientCertificate === undefined || clientKey === undefined) {
    return no(`unable to read TLS certificates from existing bootstrap client config read from ${file}`);
  }
  try {
    const [certificate, key] = await Promise.all([read(clientCertificate), read(clientKey)]);
    const certificates = readCertificates(certificate);
    const [leaf] = certificates;
    if (leaf === undefined) {
      return no(`unable to read TLS certificates from existing bootstrap client config read from ${file}`);
    }
    const expired = certificates.find(({ notAfterMs }) => nowMs > notAfterMs);
    if (expired !== undefined) {
      const at = new Date(expired.notAfterMs).toISOString();
      return no(`part of the existing bootstrap client certificate in ${file} is expired: ${at}`);
    }
    if (!isKeyOf(leaf.publicKey, key)) return no(`the client key in ${file} is not that of the client certificate`);
    return { usable: true, kubeconfig };
  } catch (error) {
    return no(
      `unable to load TLS configuration from existing bootstrap client config read from ${file}: ${messageOf(error)}`,
    );
  }
}

function read(source: FileOrData): Promise<string> {
  return 'file' in source ? readFile(source.file, 'utf8') : Promise.resolve(source.data);
}
