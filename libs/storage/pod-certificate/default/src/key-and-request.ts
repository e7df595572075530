import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { KubeletError } from '@podwright/errors';
import { goQuote } from '@podwright/kube-types';
import { createCertificateRequest, pemBlock } from '@podwright/x509';

const generate = promisify(generateKeyPair);

const generators: Readonly<Record<string, () => Promise<{ readonly privateKey: KeyObject }>>> = {
  RSA3072: () => generate('rsa', { modulusLength: 3072 }),
  RSA4096: () => generate('rsa', { modulusLength: 4096 }),
  ECDSAP256: () => generate('ec', { namedCurve: 'P-256' }),
  ECDSAP384: () => generate('ec', { namedCurve: 'P-384' }),
  ECDSAP521: () => generate('ec', { namedCurve: 'P-521' }),
  ED25519: () => generate('ed25519'),
};

export interface KeyAndRequest {
  /** PKCS#8 in PEM. */
  readonly privateKey: string;
  /** A PKCS#10 request in DER, base64. Empty but for the key and its signature, which proves that we have the key. */
  readonly request: string;
}

/**
 * Generates a key on another thread; one of RSA4096 takes up to seconds of CPU time. Rejects with `invalid-argument`
 * for an unknown type. Source: kubernetes v1.36 pkg/kubelet/podcertificate generateKeyAndProof.
 */
export async function generateKeyAndRequest(keyType: string): Promise<KeyAndRequest> {
  const generator = Object.hasOwn(generators, keyType) ? generators[keyType] : undefined;
  if (generator === undefined) {
    throw new KubeletError(`unknown key type ${goQuote(keyType)}`, { code: 'invalid-argument' });
  }
  const { privateKey: key } = await generator();
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }) as string;
  const { der } = pemBlock(createCertificateRequest({ subject: {}, privateKey }), 'CERTIFICATE REQUEST');
  return { privateKey, request: der.toString('base64') };
}
