import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KubeletError } from '@podwright/errors';
import type { HollowServers } from '@podwright/hollow-nodes';
import { readKubeconfig } from '@podwright/kubeconfig';
import { createSelfSignedCertificate, generatePrivateKey } from '@podwright/x509';
import type { HollowOptions } from './options.js';

const dayMs = 24 * 3600_000;

/** Writes what the servers of the nodes need: one certificate for all, and the authority of their clients. */
export async function writeServingFiles(
  { address, firstPort, clientCaFile, kubeconfig }: HollowOptions,
  dir: string,
  nowMs: number,
): Promise<HollowServers> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const [certFile, keyFile] = [path.join(dir, 'hollow.crt'), path.join(dir, 'hollow.key')];
  const privateKey = await generatePrivateKey();
  const certificate = createSelfSignedCertificate({
    privateKey,
    subject: { commonName: 'hollow-kubelet' },
    ipAddresses: [address],
    usages: ['digital signature', 'server auth'],
    notBeforeMs: nowMs - dayMs,
    notAfterMs: nowMs + 365 * dayMs,
  });
  await writeFile(certFile, certificate);
  await writeFile(keyFile, privateKey, { mode: 0o600 });
  return {
    ...{ address, firstPort, certFile, keyFile },
    clientCaFile: clientCaFile === '' ? await authorityOf(kubeconfig, dir) : path.resolve(clientCaFile),
  };
}

// kubeadm signs the API server's client certificate with the authority that signed its serving certificate.
async function authorityOf(kubeconfig: string, dir: string): Promise<string> {
  const { cluster } = await readKubeconfig(kubeconfig);
  const authority = cluster.certificateAuthority;
  if (authority === undefined)
    throw new KubeletError(
      `${kubeconfig} names no certificate authority: say with --client-ca-file who signs the API server's client certificate`,
      {
        code: 'invalid-argument',
      },
    );
  if ('file' in authority) return authority.file;
  const file = path.join(dir, 'clients.crt');
  await writeFile(file, authority.data);
  return file;
}
