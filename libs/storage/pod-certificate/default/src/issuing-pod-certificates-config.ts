import { booleanField, defineConfig, durationMsField, stringField } from '@podwright/assembly-interface';

export interface IssuingPodCertificatesConfig {
  /** Feature gate PodCertificateRequest. Off: requests no certificate and makes no calls. */
  readonly enabled: boolean;
  /** This node's name. */
  readonly nodeName: string;
  /** All certificates are checked after this time and up to twice this time, at random. */
  readonly checkPeriodMs: number;
  /** The longest random delay of a renewal. */
  readonly maxJitterMs: number;
}

// Upstream's values.
export const issuingPodCertificatesConfigSchema = defineConfig<IssuingPodCertificatesConfig>({
  enabled: booleanField(false),
  nodeName: stringField(),
  checkPeriodMs: durationMsField(60_000),
  maxJitterMs: durationMsField(5 * 60_000),
});
