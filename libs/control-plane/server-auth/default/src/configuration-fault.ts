import type { DelegatingServerAuthConfig } from './delegating-server-auth-config.js';

const needsServer = 'set --kubeconfig or';

/** Why nobody could be let in or kept out this way, in upstream's words and with what to set; undefined when all is well. */
export function configurationFault(
  {
    clientCaFile,
    webhookAuthentication,
    anonymous,
    authorizationMode,
  }: Pick<DelegatingServerAuthConfig, 'clientCaFile' | 'webhookAuthentication' | 'anonymous' | 'authorizationMode'>,
  hasClient: boolean,
): string | undefined {
  if (webhookAuthentication && !hasClient) {
    return `no client provided, cannot use webhook authentication; ${needsServer} authentication.webhook.enabled: false`;
  }
  if (clientCaFile === '' && !webhookAuthentication && !anonymous) {
    return (
      'no authentication method configured; set authentication.x509.clientCAFile, authentication.webhook.enabled ' +
      'or authentication.anonymous.enabled'
    );
  }
  if (authorizationMode === 'Webhook' && !hasClient) {
    return `no client provided, cannot use webhook authorization; ${needsServer} authorization.mode: AlwaysAllow`;
  }
  return undefined;
}
