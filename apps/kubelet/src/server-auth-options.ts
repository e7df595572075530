import { durationToMs, type FeatureGates, type KubeletConfiguration } from '@podwright/kubelet-configuration';

/** Options of `@podwright/server-auth`. */
export function serverAuthOptions(
  { authentication, authorization }: Pick<KubeletConfiguration, 'authentication' | 'authorization'>,
  nodeName: string,
  featureGates: FeatureGates,
): Readonly<Record<string, unknown>> {
  const { cacheAuthorizedTTL, cacheUnauthorizedTTL } = authorization.webhook;
  return {
    nodeName,
    clientCaFile: authentication.x509.clientCAFile,
    reloadClientCaFile: featureGates.enabled('ReloadKubeletClientCAFile'),
    webhookAuthentication: authentication.webhook.enabled,
    cacheTtlMs: durationToMs(authentication.webhook.cacheTTL),
    anonymous: authentication.anonymous.enabled,
    authorizationMode: authorization.mode,
    cacheAuthorizedTtlMs: durationToMs(cacheAuthorizedTTL),
    cacheUnauthorizedTtlMs: durationToMs(cacheUnauthorizedTTL),
  };
}
