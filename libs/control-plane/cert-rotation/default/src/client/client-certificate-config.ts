import { defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';

export interface ClientCertificateConfig {
  /** Name of the node; the certificate is for `system:node:<nodeName>`. */
  readonly nodeName: string;
  /** Directory of the certificates. Default `/var/lib/kubelet/pki`. */
  readonly certDir: string;
  /** File whose client certificate is used while the directory has none; empty for none. */
  readonly kubeconfig: string;
  /** Credentials that request a certificate while there is none or an expired one; empty: those of the kubeconfig. */
  readonly bootstrapKubeconfig: string;
  /**
   * After this long without a usable certificate, while the server answers, the kubelet ends; in milliseconds. Default
   * 300000.
   */
  readonly exitAfterMs: number;
}

export const clientCertificateConfigSchema = defineConfig<ClientCertificateConfig>({
  nodeName: stringField(),
  certDir: stringField('/var/lib/kubelet/pki'),
  kubeconfig: stringField(''),
  bootstrapKubeconfig: stringField(''),
  exitAfterMs: durationMsField(300_000),
});
