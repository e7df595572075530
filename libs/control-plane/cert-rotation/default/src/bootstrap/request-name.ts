import { createHash, createPublicKey } from 'node:crypto';
import { readPrivateKey } from '@podwright/x509';

const delimiter = '|'; // not in the base64url alphabet, so that different inputs cannot give the same text

/**
 * Name of a node's first request: the same for the same key, so that a restarted kubelet resumes its request. Source:
 * kubernetes v1.36 pkg/kubelet/certificate/bootstrap/bootstrap.go digestedName.
 */
export function requestName(
  privateKey: string,
  commonName: string,
  organizations: readonly string[],
  usages: readonly string[],
): string {
  const publicKey = createPublicKey(readPrivateKey(privateKey)).export({ type: 'spki', format: 'der' });
  const hash = createHash('sha512-256');
  for (const part of [publicKey, commonName, ...organizations, ...usages])
    hash.update(Buffer.from(part).toString('base64url')).update(delimiter);
  return `node-csr-${hash.digest('base64url')}`;
}
