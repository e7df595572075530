import { writeFileAtomically } from '@podwright/checkpoint';
import { stringify } from 'yaml';
import type { FileOrData, KubeconfigCluster } from './kubeconfig.js';

/** The content of the kubeconfig that the kubelet writes for itself after its bootstrap. */
export interface WrittenKubeconfig {
  /** The cluster of the bootstrap kubeconfig. A file with authorities stays a file. */
  readonly cluster: KubeconfigCluster;
  /** Both are the absolute path of `kubelet-client-current.pem`. */
  readonly clientCertificateFile: string;
  readonly clientKeyFile: string;
}

/**
 * Writes a kubeconfig atomically with mode 0600, and makes its folder when it is missing. The names are
 * `default-cluster`, `default-auth` (user) and `default-context`, the namespace is `default`. Source: kubernetes v1.36
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
    // Go reads YAML 1.1. `lineWidth: 0` keeps base64 on one line.
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
