import {
  booleanField,
  createToken,
  defineConfig,
  durationMsField,
  enumField,
  stringField,
} from '@podwright/assembly-interface';

export interface ServingCertificateConfig {
  /**
   * `files`: `certFile` and `keyFile`. `request`: from the API server. `self-signed`: `kubelet.crt` and `kubelet.key` in the
   * directory, made when they are missing. Default `self-signed`.
   */
  readonly source: 'files' | 'request' | 'self-signed';
  readonly nodeName: string;
  /** Where certificates are kept. Default `/var/lib/kubelet/pki`. */
  readonly certDir: string;
  /** With `request`, what is used until the first certificate was issued; empty for none. */
  readonly certFile: string;
  readonly keyFile: string;
  /** How often the files are looked at, in milliseconds, 0 for once only. Default 60000. */
  readonly filePollMs: number;
  /** A node without an IP address may ask with its names alone (gate AllowDNSOnlyNodeCSR). Default false. */
  readonly dnsOnly: boolean;
}

export const SERVING_CERTIFICATE_CONFIG = createToken<ServingCertificateConfig>(
  'kubelet.serving-certificate.config/v1',
);

export const servingCertificateConfigSchema = defineConfig<ServingCertificateConfig>(SERVING_CERTIFICATE_CONFIG, {
  source: enumField(['files', 'request', 'self-signed'], 'self-signed'),
  nodeName: stringField(),
  certDir: stringField('/var/lib/kubelet/pki'),
  certFile: stringField(''),
  keyFile: stringField(''),
  filePollMs: durationMsField(60_000),
  dnsOnly: booleanField(false),
});
