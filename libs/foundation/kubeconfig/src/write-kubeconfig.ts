import { writeFileAtomically } from '@podwright/checkpoint';
import { stringify } from 'yaml';
import type { FileOrData, KubeconfigCluster } from './kubeconfig.js';

/** What the kubeconfig holds that the kubelet writes for itself after it has joined. */
export interface WrittenKubeconfig {
  /** From the bootstrap kubeconfig. Authorities from a file stay a file. */
  readonly cluster: KubeconfigCluster;
  /** Both are the absolute path of `kubelet-client-current.pem`. */
  readonly clientCertificateFile: string;
  readonly clientKeyFile: string;
}

/**
 * Writes the file whole or not at all, mode 0600; its folder is made when missing. Cluster `default-cluster`, user
 * `default-auth`, context `default-context`, namespace `default`. Source: kubernetes v1.36
 * pkg/kubelet/certificate/bootstrap/bootstrap.go (writeKubeconfigFromBootstrapping).
 */
export async function writeKubeconfig(file: string, content: WrittenKubeconfig): Promise<void> {
  await writeFileAtomically(file, formatKubeconfig(content), { mode: 0o600 });
}

/** The text of {@link writeKubeconfig}. */
export function formatKubeconfig({ cluster, clientCertificateFile, clientKeyFile }: WrittenKubeconfig): string {
  return stringify(
    {
      apiVersion: 'v1',
      clusters: [{ name: 'default-cluster', cluster: clusterFields(cluster) }],
      contexts: [
        {
          name: 'default-context',
          context: { cluster: 'default-cluster', namespace: 'default', user: 'default-auth' },
        },
      ],
      'current-context': 'default-context',
      kind: 'Config',
      users: [
        {
          name: 'default-auth',
          user: { 'client-certificate': clientCertificateFile, 'client-key': clientKeyFile },
        },
      ],
    },
    // YAML 1.1 is what Go reads; without a width base64 would be folded.
    { version: '1.1', lineWidth: 0 },
  );
}

function clusterFields(cluster: KubeconfigCluster): Readonly<Record<string, unknown>> {
  return {
    ...authorityFields(cluster.certificateAuthority),
    ...(cluster.insecureSkipTlsVerify === true && { 'insecure-skip-tls-verify': true }),
    ...(cluster.disableCompression === true && { 'disable-compression': true }),
    ...(cluster.proxyUrl !== undefined && { 'proxy-url': cluster.proxyUrl }),
    server: cluster.server,
    ...(cluster.tlsServerName !== undefined && { 'tls-server-name': cluster.tlsServerName }),
  };
}

function authorityFields(authority: FileOrData | undefined): Readonly<Record<string, string>> {
  if (authority === undefined) return {};
  return 'file' in authority
    ? { 'certificate-authority': authority.file }
    : { 'certificate-authority-data': Buffer.from(authority.data, 'utf8').toString('base64') };
}
