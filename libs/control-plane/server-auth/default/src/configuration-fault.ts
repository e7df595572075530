import type { DelegatingServerAuthConfig } from './delegating-server-auth-config.js';

const needsServer = 'set --kubeconfig or';

/**
 * Why the configuration cannot authenticate or authorize anyone, in upstream's words and with the option to set;
 * undefined when it is valid.
 */
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
