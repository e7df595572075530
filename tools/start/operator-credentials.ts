import { createPublicKey } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { defaultKubeletConfiguration, type KubeletConfiguration } from '@podwright/kubelet-configuration';
import { createSelfSignedCertificate, generatePrivateKey, issueCertificate, readPrivateKey } from '@podwright/x509';

const secretMode = 0o600;
const dayMs = 24 * 3600_000;

/** Files with which the user who started a kubelet can call its API. */
export interface OperatorCredentials {
  /**
   * For `authentication.x509.clientCAFile`: the authority of the certificate below, and the authorities that were
   * passed in.
   */
  readonly clientCaFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/**
 * Creates the credentials in the folder, or reuses those of an earlier start. `authorities` are further PEM authorities
 * whose certificates the kubelet accepts, such as that of an API server.
 */
export async function operatorCredentials(
  dir: string,
  authorities: readonly string[] = [],
): Promise<OperatorCredentials> {
  mkdirSync(dir, { recursive: true });
  const file = (name: string): string => path.join(dir, name);
  const files = { clientCaFile: file('client-ca.crt'), certFile: file('client.crt'), keyFile: file('client.key') };
  const authorityFile = file('operator-ca.crt');
  if (!existsSync(files.certFile)) {
    const { authority, certificate, privateKey } = await makePair();
    writeFileSync(authorityFile, authority);
    writeFileSync(files.keyFile, privateKey, { mode: secretMode });
    writeFileSync(files.certFile, certificate);
  }
  writeFileSync(files.clientCaFile, [readFileSync(authorityFile, 'utf8'), ...authorities].join('\n'));
  return files;
}

async function makePair(): Promise<{ authority: string; certificate: string; privateKey: string }> {
  const validity = { notBeforeMs: Date.now() - dayMs, notAfterMs: Date.now() + 365 * dayMs };
  const [authorityKey, privateKey] = await Promise.all([generatePrivateKey(), generatePrivateKey()]);
  const authority = createSelfSignedCertificate({
    ...{ subject: { commonName: 'kubelet-operator-ca' }, privateKey: authorityKey, authority: true, ...validity },
    usages: ['digital signature'],
  });
  const certificate = issueCertificate(
    {
      subject: { commonName: 'kubelet-operator', organizations: ['system:masters'] },
      publicKey: createPublicKey(readPrivateKey(privateKey)),
      usages: ['digital signature', 'client auth'],
      ...validity,
    },
    { certificate: authority, privateKey: authorityKey },
  );
  return { authority, certificate, privateKey };
}

/** KubeletConfiguration fields that let the operator call the API. `joined`: an API server authorizes other callers. */
export function accessConfiguration(
  { clientCaFile: clientCAFile }: OperatorCredentials,
  joined: boolean,
): Pick<KubeletConfiguration, 'authentication' | 'authorization'> {
  const { authentication, authorization } = defaultKubeletConfiguration({});
  return {
    authentication: {
      x509: { clientCAFile },
      webhook: { ...authentication.webhook, enabled: joined },
      anonymous: { enabled: false },
    },
    authorization: { ...authorization, mode: joined ? 'Webhook' : 'AlwaysAllow' },
  };
}

/** The authority in a kubeconfig in JSON format. */
export function authorityOf(kubeconfig: string): string {
  const { clusters } = JSON.parse(kubeconfig) as {
    readonly clusters: readonly { readonly cluster: { readonly 'certificate-authority-data'?: string } }[];
  };
  const [first] = clusters;
  return Buffer.from(first?.cluster['certificate-authority-data'] ?? '', 'base64').toString();
}
