import type { SimulatedKubeletOptions } from '@podwright/kubelet-assembly';
import type { HollowNodesOptions } from './hollow-nodes-options.js';

/** The configuration of one node's kubelet. */
export function kubeletConfiguration(
  { podsPerNode = 110, servers, configuration }: HollowNodesOptions,
  index: number,
): NonNullable<SimulatedKubeletOptions['configuration']> {
  return {
    maxPods: podsPerNode,
    // A machine without swap, of which nothing is reserved.
    failSwapOn: false,
    ...(servers !== undefined && {
      enableServer: true,
      address: '0.0.0.0',
      port: servers.firstPort + index,
      tlsCertFile: servers.certFile,
      tlsPrivateKeyFile: servers.keyFile,
      authentication: {
        x509: { clientCAFile: servers.clientCaFile },
        webhook: { enabled: true, cacheTTL: '2m' },
        anonymous: { enabled: false },
      },
    }),
    ...configuration,
    // Half of what an idle fleet does would be to list each second; the runtime is in this process and loses no event.
    featureGates: { EventedPLEG: true, ...configuration?.featureGates },
  };
}
