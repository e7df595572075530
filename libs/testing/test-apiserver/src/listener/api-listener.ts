import type { ApiUser } from '../http/api-request.js';
import type { ClusterAuthority } from '../identity/cluster-authority.js';
import { HttpsListener, type HttpsListenerOptions, type ListenerBackend } from './https-listener.js';
import { kubeconfigText } from './kubeconfig-text.js';

/** The server on a real socket. */
export interface ApiListener {
  /** `https://127.0.0.1:port`. */
  readonly url: string;
  /** A kubeconfig (JSON) with a client certificate for the user, valid for a year. */
  kubeconfig(user: Pick<ApiUser, 'name' | 'groups'>): string;
  /** Stops listening and ends all connections. May be called twice. */
  stop(): Promise<void>;
}

/** Listens with a certificate of the cluster's authority. Rejects when the port is in use. */
export async function listen(
  backend: ListenerBackend,
  authority: ClusterAuthority,
  options: HttpsListenerOptions = {},
): Promise<ApiListener> {
  const { host = '127.0.0.1' } = options;
  const serving = authority.issue({
    subject: { commonName: 'kube-apiserver' },
    usages: ['digital signature', 'key encipherment', 'server auth'],
    dnsNames: ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'],
    ipAddresses: [...new Set([host, '127.0.0.1', '10.96.0.1'])],
  });
  const listener = new HttpsListener(backend, serving, authority.certificate);
  const port = await listener.start(options);
  const url = `https://${host}:${port}`;
  return {
    url,
    kubeconfig: ({ name, groups }) => {
      const subject = { commonName: name, organizations: groups.filter((group) => group !== 'system:authenticated') };
      const user = authority.issue({ subject, usages: ['digital signature', 'key encipherment', 'client auth'] });
      return kubeconfigText(url, authority.certificate, user, name);
    },
    stop: () => listener.stop(),
  };
}
