import { parseProxyUrl } from './proxy-url.js';
import { parseServer } from './server-address.js';
import type { ClusterFields } from './kubeconfig-schema.js';

/** The faults of a cluster, in upstream's words where it checks the same. Source: clientcmd/validation.go. */
export function checkCluster(name: string, cluster: ClusterFields): readonly string[] {
  const faults: string[] = [];
  if (cluster.server === undefined) return [`no server found for cluster ${JSON.stringify(name)}`];
  const address = parseServer(cluster.server);
  if (typeof address === 'string') faults.push(`server of cluster ${JSON.stringify(name)}: ${address}`);
  const proxy = cluster['proxy-url'];
  const proxyFault = proxy === undefined ? undefined : parseProxyUrl(proxy);
  if (typeof proxyFault === 'string') {
    faults.push(`invalid 'proxy-url' ${JSON.stringify(proxy)} for cluster ${JSON.stringify(name)}: ${proxyFault}`);
  }
  if (cluster['certificate-authority'] !== undefined && cluster['certificate-authority-data'] !== undefined) {
    faults.push(
      `certificate-authority-data and certificate-authority are both specified for ${name}. certificate-authority-data will override.`,
    );
  }
  const trusts = cluster['certificate-authority'] ?? cluster['certificate-authority-data'];
  if (cluster['insecure-skip-tls-verify'] === true && trusts !== undefined) {
    faults.push(
      `cluster ${JSON.stringify(name)}: specifying a root certificates file with the insecure flag is not allowed`,
    );
  }
  return faults;
}
