import { messageOf } from '@podwright/errors';
import type { ChainCertificate } from './chain-certificate.js';

const sha2 = ['2.16.840.1.101.3.4.2.1', '2.16.840.1.101.3.4.2.2', '2.16.840.1.101.3.4.2.3'];
const pssOid = '1.2.840.113549.1.1.10';
/**
 * The signature algorithms that Go accepts: RSA and ECDSA with SHA-256, 384 and 512, and Ed25519. MD5 and SHA-1 are
 * broken.
 */
const secureAlgorithms: ReadonlySet<string> = new Set([
  '1.2.840.113549.1.1.11',
  '1.2.840.113549.1.1.12',
  '1.2.840.113549.1.1.13',
  '1.2.840.10045.4.3.2',
  '1.2.840.10045.4.3.3',
  '1.2.840.10045.4.3.4',
  '1.3.101.112',
]);
// Go refuses shorter keys.
const leastRsaBits = 1024;

/**
 * The fault of the child's signature by the parent: it is invalid, or the parent may not sign. Undefined when it is
 * valid.
 * Source: Go 1.26 crypto/x509/x509.go CheckSignatureFrom.
 */
export function signatureFault(child: ChainCertificate, parent: ChainCertificate): string | undefined {
  const { authority, version, maySign } = parent;
  if (authority === false || (authority === undefined && version === 3) || !maySign) {
    return 'invalid signature: parent certificate cannot sign this kind of certificate';
  }
  const { oid, hashOid } = child.signatureAlgorithm;
  const secure = oid === pssOid ? hashOid !== undefined && sha2.includes(hashOid) : secureAlgorithms.has(oid);
  if (!secure) return `cannot verify signature: insecure algorithm ${oid}`;
  try {
    const { publicKey } = parent.parsed;
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = publicKey;
    if (type === 'rsa' && (details?.modulusLength ?? 0) < leastRsaBits) {
      return `crypto/rsa: keys of less than ${leastRsaBits} bits are insecure`;
    }
    return child.parsed.verify(publicKey) ? undefined : 'the signature is not by the key of the parent certificate';
  } catch (error) {
    // OpenSSL does not support the key or the algorithm.
    return `cannot verify signature: ${messageOf(error)}`;
  }
}
