import { createToken, defineConfig, durationMsField } from '@podwright/assembly-interface';

export interface DefaultServiceAccountTokenConfig {
  /** How long one piece of work may take, in milliseconds. */
  readonly timeoutMs: number;
}

export const DEFAULT_SERVICE_ACCOUNT_TOKEN_CONFIG = createToken<DefaultServiceAccountTokenConfig>(
  'kubelet.service-account-token.config/v1',
);

export const defaultServiceAccountTokenConfigSchema = defineConfig<DefaultServiceAccountTokenConfig>(
  DEFAULT_SERVICE_ACCOUNT_TOKEN_CONFIG,
  {
    timeoutMs: durationMsField(120_000),
  },
);
