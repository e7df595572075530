import { configure, type ConfiguredModule } from '@podwright/assembly-interface';
import { serverAuthModule } from '@podwright/server-auth';
import { parseGoDuration } from '@podwright/time';
import type { NodeSettings } from './node-settings.js';

/** Options for authentication and authorization of the kubelet's server. */
export function serverAuthOptions({
  configuration: { authentication, authorization },
  facts,
}: NodeSettings): ConfiguredModule {
  const { cacheAuthorizedTTL, cacheUnauthorizedTTL } = authorization.webhook;
  return configure(serverAuthModule, {
    nodeName: facts.nodeName,
    clientCaFile: authentication.x509.clientCAFile,
    webhookAuthentication: authentication.webhook.enabled,
    cacheTtlMs: parseGoDuration(authentication.webhook.cacheTTL),
    anonymous: authentication.anonymous.enabled,
    authorizationMode: authorization.mode,
    cacheAuthorizedTtlMs: parseGoDuration(cacheAuthorizedTTL),
    cacheUnauthorizedTtlMs: parseGoDuration(cacheUnauthorizedTTL),
  });
}
