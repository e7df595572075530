import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '@podwright/checkpoint';
import { KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { createSelfSignedCertificate, generatePrivateKey, issueCertificate, readPrivateKey } from '@podwright/x509';
import { createPublicKey } from 'node:crypto';
import { exists, makeDirectory } from '@podwright/filesystem';
import { ipFamily } from '@podwright/kube-types';

/** The two files of a serving certificate. */
export interface PairFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

const hourMs = 3_600_000;
const yearMs = 365 * 24 * hourMs;

/** Default files of the self-signed pair. */
export function selfSignedFiles(certDir: string): PairFiles {
  return { certFile: path.join(certDir, 'kubelet.crt'), keyFile: path.join(certDir, 'kubelet.key') };
}

/**
 * Creates the pair: valid for a year, signed by an authority whose key is discarded. Takes some tenths of a second on
 * two threads. Source: kubernetes v1.36 staging/src/k8s.io/client-go/util/cert/cert.go GenerateSelfSignedCertKey.
 */
export async function makeSelfSignedPair(
  { certFile, keyFile }: PairFiles,
  host: string,
  { clock, logger }: { readonly clock: Pick<Clock, 'now'>; readonly logger: Logger },
): Promise<void> {
  const { certificate, privateKey } = await makePair(host, clock.now());
  await writeFileAtomically(keyFile, privateKey, { mode: 0o600 });
  await writeFileAtomically(certFile, certificate, { mode: 0o644 });
  logger.debug(4, 'Using self-signed cert', { tlsCertFile: certFile, tlsPrivateKeyFile: keyFile });
}

/**
 * Whether the pair exists; it is then used as it is. Otherwise creates its directory, and rejects when no file can be
 * created there.
 */
export async function hasSelfSignedPair({ certFile, keyFile }: PairFiles, logger: Logger): Promise<boolean> {
  const folder = path.dirname(certFile);
  try {
    const [hasCert, hasKey] = [await exists(certFile), await exists(keyFile)];
    if (hasCert && hasKey) return true;
    if (hasCert !== hasKey)
      logger.warn('Half of the self-signed serving pair is missing, making a new pair', { certFile, keyFile });
    await makeDirectory(folder);
    await access(folder, constants.W_OK);
    return false;
  } catch (error) {
    const message = `unable to generate self signed cert in ${folder}: ${messageOf(error)}; make it writable, or give another --cert-dir`;
    throw new KubeletError(message, { code: 'failed-precondition', cause: error });
  }
}

async function makePair(host: string, nowMs: number): Promise<{ certificate: string; privateKey: string }> {
  const seconds = Math.trunc(nowMs / 1000);
  // An hour back, for clients with a slow clock.
  const validity = { notBeforeMs: nowMs - hourMs, notAfterMs: nowMs - hourMs + yearMs };
  const [authorityKey, privateKey] = await Promise.all([
    generatePrivateKey('rsa-2048'),
    generatePrivateKey('rsa-2048'),
  ]);
  const usages = ['digital signature', 'key encipherment'];
  const authority = createSelfSignedCertificate({
    subject: { commonName: `${host}-ca@${seconds}` },
    privateKey: authorityKey,
    usages,
    authority: true,
    ...validity,
  });
  const leaf = issueCertificate(
    {
      subject: { commonName: `${host}@${seconds}` },
      publicKey: createPublicKey(readPrivateKey(privateKey)),
      usages: [...usages, 'server auth'],
      ...(ipFamily(host) === 0 ? { dnsNames: [host] } : { ipAddresses: [host] }),
      ...validity,
    },
    { certificate: authority, privateKey: authorityKey },
  );
  return { certificate: leaf + authority, privateKey };
}
