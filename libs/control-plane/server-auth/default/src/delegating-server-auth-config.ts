import { booleanField, defineConfig, durationMsField, enumField, stringField } from '@podwright/assembly-interface';

export interface DelegatingServerAuthConfig {
  readonly nodeName: string;
  /**
   * `authentication.x509.clientCAFile`: PEM file of the authorities for client certificates; empty for none. Default
   * empty.
   */
  readonly clientCaFile: string;
  /** Watch the file and reload it when it changes (gate ReloadKubeletClientCAFile). Default true. */
  readonly reloadClientCaFile: boolean;
  /** The UID in the subject of a client certificate counts (gate AllowParsingUserUIDFromCertAuth). Default true. */
  readonly certificateUid: boolean;
  /** `authentication.webhook.enabled`: authenticate bearer tokens by TokenReview. Default true. */
  readonly webhookAuthentication: boolean;
  /** `authentication.webhook.cacheTTL`, milliseconds; 0 disables the cache. Default 120000. */
  readonly cacheTtlMs: number;
  /** `authentication.anonymous.enabled`. Default false. */
  readonly anonymous: boolean;
  /** `authorization.mode`. Default `Webhook`. */
  readonly authorizationMode: 'AlwaysAllow' | 'Webhook';
  /** `authorization.webhook.cacheAuthorizedTTL`, milliseconds. Default 300000. */
  readonly cacheAuthorizedTtlMs: number;
  /** `authorization.webhook.cacheUnauthorizedTTL`, milliseconds. Default 30000. */
  readonly cacheUnauthorizedTtlMs: number;
}

export const delegatingServerAuthConfigSchema = defineConfig<DelegatingServerAuthConfig>({
  nodeName: stringField(),
  clientCaFile: stringField(''),
  reloadClientCaFile: booleanField(true),
  certificateUid: booleanField(true),
  webhookAuthentication: booleanField(true),
  cacheTtlMs: durationMsField(120_000),
  anonymous: booleanField(false),
  authorizationMode: enumField(['AlwaysAllow', 'Webhook'], 'Webhook'),
  cacheAuthorizedTtlMs: durationMsField(300_000),
  cacheUnauthorizedTtlMs: durationMsField(30_000),
});
