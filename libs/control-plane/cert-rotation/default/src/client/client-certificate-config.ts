import { createToken, defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';

export interface ClientCertificateConfig {
  /** The certificate's name is `system:node:<this>`. */
  readonly nodeName: string;
  /** Where certificates are kept. Default `/var/lib/kubelet/pki`. */
  readonly certDir: string;
  /** File whose client certificate is used as long as the directory has none; empty for none. */
  readonly kubeconfig: string;
  /** Credentials that ask for a certificate while there is none, or only an expired one; empty: those of the kubeconfig. */
  readonly bootstrapKubeconfig: string;
  /** Without a usable certificate for this long, while the server answers, the kubelet ends; in milliseconds. Default 300000. */
  readonly exitAfterMs: number;
}

export const CLIENT_CERTIFICATE_CONFIG = createToken<ClientCertificateConfig>('kubelet.client-certificate.config/v1');

export const clientCertificateConfigSchema = defineConfig<ClientCertificateConfig>(CLIENT_CERTIFICATE_CONFIG, {
  nodeName: stringField(),
  certDir: stringField('/var/lib/kubelet/pki'),
  kubeconfig: stringField(''),
  bootstrapKubeconfig: stringField(''),
  exitAfterMs: durationMsField(300_000),
});
