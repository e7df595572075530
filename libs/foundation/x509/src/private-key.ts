import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { KubeletError } from '@podwright/errors';

const generate = promisify(generateKeyPair);

/**
 * Type of a private key. Upstream uses `ecdsa-p256` for certificate requests and `rsa-2048` for self-signed
 * certificates.
 */
export type KeyType = 'ecdsa-p256' | 'rsa-2048';

/**
 * Generates a private key in PEM, as Go's keyutil: `EC PRIVATE KEY` (SEC 1) or `RSA PRIVATE KEY` (PKCS#1). An RSA key
 * takes a tenth of a second of CPU time, on another thread.
 */
export async function generatePrivateKey(type: KeyType = 'ecdsa-p256'): Promise<string> {
  if (type === 'rsa-2048') {
    const { privateKey } = await generate('rsa', { modulusLength: 2048 });
    return privateKey.export({ type: 'pkcs1', format: 'pem' }) as string;
  }
  const { privateKey } = await generate('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'sec1', format: 'pem' }) as string;
}

/** Reads a private key in PEM. Throws `invalid-argument` when it is malformed; the error does not contain the key. */
export function readPrivateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new KubeletError('not a private key in PEM', { code: 'invalid-argument', cause });
  }
}

/** True when the private key belongs to the certificate's public key. Throws `invalid-argument` for a malformed key. */
export function isKeyOf(certificatePublicKey: KeyObject, privateKeyPem: string): boolean {
  return createPublicKey(readPrivateKey(privateKeyPem)).equals(certificatePublicKey);
}
