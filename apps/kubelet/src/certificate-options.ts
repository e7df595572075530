import path from 'node:path';
import type { FeatureGates, KubeletConfiguration, KubeletFlags } from '@podwright/kubelet-configuration';

type Options = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Options of the client certificate, which only a node of a cluster has, and only when the configuration asks for it. */
export function clientCertificateOptions(
  { rotateCertificates }: KubeletConfiguration,
  { certDir, kubeconfig, bootstrapKubeconfig }: KubeletFlags,
  nodeName: string,
): Options {
  if (!rotateCertificates) return {};
  return {
    '@podwright/cert-rotation#client': { nodeName, certDir: path.resolve(certDir), kubeconfig, bootstrapKubeconfig },
  };
}

/** Options of the certificate that the kubelet's own port shows. */
export function servingCertificateOptions(
  configuration: KubeletConfiguration,
  { certDir }: KubeletFlags,
  nodeName: string,
  featureGates: FeatureGates,
): Readonly<Record<string, unknown>> {
  const { tlsCertFile: certFile, tlsPrivateKeyFile: keyFile } = configuration;
  return {
    source: servingSource(configuration),
    nodeName,
    certDir: path.resolve(certDir),
    certFile,
    keyFile,
    filePollMs: featureGates.enabled('ReloadKubeletServerCertificateFile') ? 60_000 : 0,
    dnsOnly: featureGates.enabled('AllowDNSOnlyNodeCSR'),
  };
}

/** Who asks for a certificate gets it whether there is a server or not, as upstream; a self-signed one is for the server alone. */
export const needsServingCertificate = (configuration: KubeletConfiguration): boolean =>
  configuration.enableServer || servingSource(configuration) !== 'self-signed';

function servingSource({
  serverTLSBootstrap,
  tlsCertFile,
  tlsPrivateKeyFile,
}: Pick<KubeletConfiguration, 'serverTLSBootstrap' | 'tlsCertFile' | 'tlsPrivateKeyFile'>):
  'request' | 'files' | 'self-signed' {
  if (serverTLSBootstrap) return 'request';
  return tlsCertFile !== '' || tlsPrivateKeyFile !== '' ? 'files' : 'self-signed';
}
