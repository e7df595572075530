import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createSelfSignedCertificate, issueCertificate, type AlternativeNames, type Subject } from '@podwright/x509';
import type { Clock, Random } from '@podwright/time';

const dayMs = 86_400_000;
// As kubeadm: ten years for the authority, one for the certificates that it issues.
const authorityMs = 3_650 * dayMs;
const leafMs = 365 * dayMs;
// Clocks of clients may be behind.
const backdateMs = 5 * 60_000;

/** A certificate with its key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly privateKey: string;
}

export interface LeafOptions extends AlternativeNames {
  readonly subject: Subject;
  readonly usages: readonly string[];
}

/** A certificate authority, by default the cluster's. Its keys are real, so they differ in each run, whatever the seed. */
export class ClusterAuthority {
  private readonly root: KeyPair;

  constructor(
    private readonly clock: Clock,
    private readonly random: Random,
    commonName = 'kubernetes-ca',
  ) {
    const privateKey = newKey();
    const certificate = createSelfSignedCertificate({
      subject: { commonName },
      privateKey,
      usages: ['digital signature', 'key encipherment'],
      authority: true,
      notBeforeMs: clock.now() - backdateMs,
      notAfterMs: clock.now() + authorityMs,
    });
    this.root = { certificate, privateKey };
  }

  /** The authority's certificate, PEM. */
  get certificate(): string {
    return this.root.certificate;
  }

  /** Issues a certificate with a new key, valid for a year. */
  issue(options: LeafOptions): KeyPair {
    const privateKey = newKey();
    const now = this.clock.now();
    const times = { notBeforeMs: now - backdateMs, notAfterMs: now + leafMs };
    return { certificate: this.sign({ ...options, ...times, publicKey: publicKeyOf(privateKey) }), privateKey };
  }

  /** Issues a certificate (PEM) for a public key. */
  sign(
    options: LeafOptions & { readonly publicKey: KeyObject; readonly notBeforeMs: number; readonly notAfterMs: number },
  ): string {
    return issueCertificate({ ...options, serialHex: `01${this.random.hex(15)}` }, this.root);
  }
}

function newKey(): string {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    type: 'sec1',
    format: 'pem',
  }) as string;
}

function publicKeyOf(privateKeyPem: string): KeyObject {
  return createPublicKey(privateKeyPem);
}
