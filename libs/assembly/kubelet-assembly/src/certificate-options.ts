import { configure, type ConfiguredModule } from '@podwright/assembly-interface';
import { clientCertificateModule, servingCertificateModule } from '@podwright/cert-rotation';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';
import path from 'node:path';
import type { NodeSettings } from './node-settings.js';

/** Options of the client certificate of a kubelet with an API server. */
export function clientCertificateOptions({ flags, facts }: NodeSettings): readonly ConfiguredModule[] {
  const { kubeconfig, bootstrapKubeconfig } = flags;
  const certDir = path.resolve(flags.certDir);
  return [configure(clientCertificateModule, { nodeName: facts.nodeName, certDir, kubeconfig, bootstrapKubeconfig })];
}

/** Options of the serving certificate. */
export function servingCertificateOptions({
  configuration,
  flags,
  facts,
  gates,
}: NodeSettings): readonly ConfiguredModule[] {
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
  | 'request'
  | 'files'
  | 'self-signed' {
  if (serverTLSBootstrap) return 'request';
  return tlsCertFile !== '' || tlsPrivateKeyFile !== '' ? 'files' : 'self-signed';
}
