import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { KubeletError } from '@podwright/errors';

const generate = promisify(generateKeyPair);

/** `ecdsa-p256` is what upstream asks for in every certificate request; `rsa-2048` what its self-signed certificates have. */
export type KeyType = 'ecdsa-p256' | 'rsa-2048';

/**
 * A new private key as PEM, in the form that Go's keyutil writes: `EC PRIVATE KEY` (SEC 1) or `RSA PRIVATE KEY` (PKCS#1).
 * An RSA key takes a tenth of a second of processor time, on a thread of its own.
 */
export async function generatePrivateKey(type: KeyType = 'ecdsa-p256'): Promise<string> {
  if (type === 'rsa-2048') {
    const { privateKey } = await generate('rsa', { modulusLength: 2048 });
    return privateKey.export({ type: 'pkcs1', format: 'pem' }) as string;
  }
  const { privateKey } = await generate('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'sec1', format: 'pem' }) as string;
}

/** Throws `invalid-argument`, without the text of the key, for what is no private key. */
export function readPrivateKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new KubeletError('not a private key in PEM', { code: 'invalid-argument', cause });
  }
}

/** True when the certificate's key is the private key's. Throws `invalid-argument` for what is no PEM. */
export function isKeyOf(certificatePublicKey: KeyObject, privateKeyPem: string): boolean {
  return createPublicKey(readPrivateKey(privateKeyPem)).equals(certificatePublicKey);
}
