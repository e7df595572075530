import { createToken, defineConfig, durationMsField } from '@podwright/assembly-interface';

export interface DefaultCertRotationConfig {
  /** How long one piece of work may take, in milliseconds. */
  readonly timeoutMs: number;
}

export const DEFAULT_CERT_ROTATION_CONFIG = createToken<DefaultCertRotationConfig>('kubelet.cert-rotation.config/v1');

export const defaultCertRotationConfigSchema = defineConfig<DefaultCertRotationConfig>(DEFAULT_CERT_ROTATION_CONFIG, {
  timeoutMs: durationMsField(120_000),
});
