import type { DelegatingServerAuthConfig } from './delegating-server-auth-config.js';

const needsServer = 'set --kubeconfig or';

/**
 * Why the configuration cannot authenticate or authorize anyone, in upstream's words and with the option to set;
 * undefined when it is valid. No method at all is valid, as upstream: then nobody is known, and every request is refused.
 */
export function configurationFault(
  {
    webhookAuthentication,
    authorizationMode,
  }: Pick<DelegatingServerAuthConfig, 'webhookAuthentication' | 'authorizationMode'>,
  hasClient: boolean,
): string | undefined {
  if (webhookAuthentication && !hasClient) {
    return `no client provided, cannot use webhook authentication; ${needsServer} authentication.webhook.enabled: false`;
  }
  if (authorizationMode === 'Webhook' && !hasClient) {
    return `no client provided, cannot use webhook authorization; ${needsServer} authorization.mode: AlwaysAllow`;
  }
  return undefined;
}
