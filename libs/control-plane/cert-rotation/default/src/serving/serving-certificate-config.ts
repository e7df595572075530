import { booleanField, defineConfig, durationMsField, enumField, stringField } from '@podwright/assembly-interface';

export interface ServingCertificateConfig {
  /**
   * `files`: `certFile` and `keyFile`. `request`: from the API server. `self-signed`: `kubelet.crt` and `kubelet.key`
   * in the directory, created if missing. Default `self-signed`.
   */
  readonly source: 'files' | 'request' | 'self-signed';
  readonly nodeName: string;
  /** Directory of the certificates. Default `/var/lib/kubelet/pki`. */
  readonly certDir: string;
  /** With `request`, the certificate to use until the first one is issued; empty for none. */
  readonly certFile: string;
  readonly keyFile: string;
  /** Time between two checks of the files, in milliseconds; 0 for a single read. Default 60000. */
  readonly filePollMs: number;
  /**
   * A node without an IP address may request a certificate for its names only (gate AllowDNSOnlyNodeCSR). Default
   * false.
   */
  readonly dnsOnly: boolean;
}

export const servingCertificateConfigSchema = defineConfig<ServingCertificateConfig>({
  source: enumField(['files', 'request', 'self-signed'], 'self-signed'),
  nodeName: stringField(),
  certDir: stringField('/var/lib/kubelet/pki'),
  certFile: stringField(''),
  keyFile: stringField(''),
  filePollMs: durationMsField(60_000),
  dnsOnly: booleanField(false),
});
