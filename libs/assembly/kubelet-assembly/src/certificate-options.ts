import { configure, type ConfiguredModule } from '@podwright/assembly-interface';
import { clientCertificateModule, servingCertificateModule } from '@podwright/cert-rotation';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';
import path from 'node:path';
import type { NodeSettings } from './node-settings.js';

/**
 * Options of the client certificate; none unless the configuration asks for its rotation. For a kubelet with an API
 * server.
 */
export function clientCertificateOptions({ configuration, flags, facts }: NodeSettings): readonly ConfiguredModule[] {
  if (!configuration.rotateCertificates) return [];
  const { kubeconfig, bootstrapKubeconfig } = flags;
  const certDir = path.resolve(flags.certDir);
  return [configure(clientCertificateModule, { nodeName: facts.nodeName, certDir, kubeconfig, bootstrapKubeconfig })];
}

/** Options of the serving certificate of the kubelet's port; none when no certificate is needed. */
export function servingCertificateOptions({
  configuration,
  flags,
  facts,
  gates,
}: NodeSettings): readonly ConfiguredModule[] {
  if (!needsServingCertificate(configuration)) return [];
  const { tlsCertFile: certFile, tlsPrivateKeyFile: keyFile } = configuration;
  return [
    configure(servingCertificateModule, {
      source: servingSource(configuration),
      nodeName: facts.nodeName,
      certDir: path.resolve(flags.certDir),
      certFile,
      keyFile,
      filePollMs: gates.reloadServingCertificate ? 60_000 : 0,
    }),
  ];
}

/**
 * As upstream: a configured or requested certificate is loaded even without the server; a self-signed one is only made
 * for the server.
 */
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
