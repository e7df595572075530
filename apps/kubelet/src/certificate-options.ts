import path from 'node:path';
import type { FeatureGates, KubeletConfiguration, KubeletFlags } from '@podwright/kubelet-configuration';
import { servingSource } from './cluster-modules.js';

type Options = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Options of the certificate modules that the configuration asks for. */
export function certificateOptions(
  configuration: KubeletConfiguration,
  flags: KubeletFlags,
  nodeName: string,
  featureGates: FeatureGates,
): Options {
  const certDir = path.resolve(flags.certDir);
  const { kubeconfig, bootstrapKubeconfig } = flags;
  const source = servingSource(configuration);
  return {
    ...(configuration.rotateCertificates && {
      '@podwright/cert-rotation#client': { nodeName, certDir, kubeconfig, bootstrapKubeconfig },
    }),
    ...(source !== undefined && {
      '@podwright/cert-rotation#serving': {
        source,
        nodeName,
        certDir,
        certFile: configuration.tlsCertFile,
        keyFile: configuration.tlsPrivateKeyFile,
        filePollMs: featureGates.enabled('ReloadKubeletServerCertificateFile') ? 60_000 : 0,
        dnsOnly: featureGates.enabled('AllowDNSOnlyNodeCSR'),
      },
    }),
  };
}
