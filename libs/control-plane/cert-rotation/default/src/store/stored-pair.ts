import type { CertificatePair } from '@podwright/cert-rotation-interface';
import { KubeletError } from '@podwright/errors';
import { formatPem, isKeyOf, pemBlocks, readCertificate, type Certificate } from '@podwright/x509';

/** A certificate with its key, as read from or written to disk. */
export interface StoredPair extends CertificatePair {
  readonly leaf: Certificate;
}

/**
 * Parses a chain and a key, which may be in one text. Throws `invalid-argument` when one is missing or the key does not
 * match the leaf.
 */
export function readPair(certificateText: string, keyText: string): StoredPair {
  const leaf = readCertificate(certificateText);
  const chain = pemBlocks(certificateText).filter(({ label }) => label === 'CERTIFICATE');
  const key = pemBlocks(keyText).find(({ label }) => label.endsWith('PRIVATE KEY'));
  if (key === undefined) throw new KubeletError('no PEM block of a private key', { code: 'invalid-argument' });
  const privateKey = formatPem(key.label, key.der);
  if (!isKeyOf(leaf.publicKey, privateKey))
    throw new KubeletError('private key does not match public key', { code: 'invalid-argument' });
  return {
    certificate: chain.map(({ label, der }) => formatPem(label, der)).join(''),
    privateKey,
    notBeforeMs: leaf.notBeforeMs,
    notAfterMs: leaf.notAfterMs,
    leaf,
  };
}
