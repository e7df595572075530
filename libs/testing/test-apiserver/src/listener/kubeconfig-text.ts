import type { KeyPair } from '../identity/cluster-authority.js';

/** A kubeconfig with embedded certificates, as JSON, which is also YAML. */
export function kubeconfigText(server: string, authority: string, user: KeyPair, userName: string): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'cluster', cluster: { server, 'certificate-authority-data': base64(authority) } }],
    users: [
      {
        name: userName,
        user: {
          'client-certificate-data': base64(user.certificate),
          'client-key-data': base64(user.privateKey),
        },
      },
    ],
    contexts: [{ name: 'cluster', context: { cluster: 'cluster', user: userName } }],
    'current-context': 'cluster',
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
