import { booleanField, defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';

export interface KubeTransportConfig {
  /** Path of the kubeconfig. Required. */
  readonly kubeconfig: string;
  /**
   * Start even without the kubeconfig, which will be written later; until then requests reject with `unavailable`.
   * Default false: as upstream, a missing file fails the start.
   */
  readonly awaitKubeconfig: boolean;
  /** Offer HTTP/2. Default true; as upstream, the environment variable DISABLE_HTTP2 overrides it. */
  readonly http2: boolean;
  /** Timeout of a TCP connection, including the proxy. Default 30 s. */
  readonly dialTimeoutMs: number;
  /** Timeout of the TLS handshake. Default 10 s, as upstream. */
  readonly tlsHandshakeTimeoutMs: number;
  /** Time without data after which an HTTP/2 connection is pinged. Default 30 s. */
  readonly readIdleTimeoutMs: number;
  /** Time for the answer to the ping, after which the connection is dropped. Default 15 s. */
  readonly pingTimeoutMs: number;
  /** Time after which a connection without a request is closed. Default 90 s. */
  readonly idleConnectionTimeoutMs: number;
  /** Time between two reads of the client certificate. Default 10 s. */
  readonly certificatePollMs: number;
  /** The same until there is a certificate, and for an awaited kubeconfig. Default 1 s. */
  readonly firstCertificatePollMs: number;
  /** Gate ClientsAllowCARotation: the CA file is read again; false: what it held at the start stays. Default true. */
  readonly reloadAuthority: boolean;
  /** Time between two reads of the CA file. Default 5 min. */
  readonly authorityPollMs: number;
  /** Maximum age of a token before its file is reread. Default 50 s: upstream's minute minus its leeway of 10 s. */
  readonly tokenMaxAgeMs: number;
  /** Timeout of one run of a credential plugin. Default 60 s; upstream waits for ever. */
  readonly execTimeoutMs: number;
}

export const kubeTransportConfigSchema = defineConfig<KubeTransportConfig>({
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
  reloadAuthority: booleanField(true),
  authorityPollMs: durationMsField(300_000, { min: 1 }),
  tokenMaxAgeMs: durationMsField(50_000),
  execTimeoutMs: durationMsField(60_000, { min: 1 }),
});
