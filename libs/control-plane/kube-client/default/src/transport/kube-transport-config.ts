import { booleanField, createToken, defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';

export interface KubeTransportConfig {
  /** Path of the kubeconfig. Required. */
  readonly kubeconfig: string;
  /**
   * Start also while the kubeconfig is missing: somebody is about to write it. Until then requests are rejected with
   * `unavailable`. Default false: a missing file fails the start, as upstream.
   */
  readonly awaitKubeconfig: boolean;
  /** Offer HTTP/2. Default true; the environment variable DISABLE_HTTP2 wins, as upstream. */
  readonly http2: boolean;
  /** For a TCP connection, the proxy included. Default 30 s. */
  readonly dialTimeoutMs: number;
  /** For the handshake of TLS. Default 10 s, as upstream. */
  readonly tlsHandshakeTimeoutMs: number;
  /** An HTTP/2 connection on which nothing came for so long is asked whether it lives. Default 30 s. */
  readonly readIdleTimeoutMs: number;
  /** What it has for its answer before it is given up. Default 15 s. */
  readonly pingTimeoutMs: number;
  /** A connection without a request is closed after this time. Default 90 s. */
  readonly idleConnectionTimeoutMs: number;
  /** How often the client certificate is read again. Default 10 s. */
  readonly certificatePollMs: number;
  /** The same until there is a first one, and for an awaited kubeconfig. Default 1 s. */
  readonly firstCertificatePollMs: number;
  /** How often the file of the authorities is read again. Default 5 min. */
  readonly authorityPollMs: number;
  /** A token file is read again when what is known of it is older. Default 50 s: upstream's minute less its leeway of 10 s. */
  readonly tokenMaxAgeMs: number;
  /** For one run of a credential plugin. Default 60 s; upstream waits for ever. */
  readonly execTimeoutMs: number;
}

export const KUBE_TRANSPORT_CONFIG = createToken<KubeTransportConfig>('kubelet.kube-transport.config/v1');

export const kubeTransportConfigSchema = defineConfig<KubeTransportConfig>(KUBE_TRANSPORT_CONFIG, {
  kubeconfig: stringField(),
  awaitKubeconfig: booleanField(false),
  http2: booleanField(true),
  dialTimeoutMs: durationMsField(30_000, { min: 1 }),
  tlsHandshakeTimeoutMs: durationMsField(10_000, { min: 1 }),
  readIdleTimeoutMs: durationMsField(30_000, { min: 1 }),
  pingTimeoutMs: durationMsField(15_000, { min: 1 }),
  idleConnectionTimeoutMs: durationMsField(90_000, { min: 1 }),
  certificatePollMs: durationMsField(10_000, { min: 1 }),
  firstCertificatePollMs: durationMsField(1_000, { min: 1 }),
  authorityPollMs: durationMsField(300_000, { min: 1 }),
  tokenMaxAgeMs: durationMsField(50_000),
  execTimeoutMs: durationMsField(60_000, { min: 1 }),
});
