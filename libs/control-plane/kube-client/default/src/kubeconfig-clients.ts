import { CLOCK, LOGGER, METRICS, needs, RANDOM, type Needs } from '@podwright/assembly-interface';
import { KUBE_TRANSPORT_FACTORY } from '@podwright/kube-client-interface';
import type { KubeClient, KubeClientFactory } from '@podwright/kube-client-interface';
import { createKubeClient } from './kube-client.module.js';
import type { KubeconfigClientsConfig } from './kubeconfig-clients-config.js';
import { withOwnTransport } from './with-own-transport.js';

export const kubeconfigClientsNeeds = needs({
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  metrics: METRICS,
  transports: KUBE_TRANSPORT_FACTORY,
});

/** {@link KubeClientFactory} whose clients each have their own transport. */
export class KubeconfigClients implements KubeClientFactory {
  constructor(
    private readonly deps: Needs<typeof kubeconfigClientsNeeds>,
    private readonly config: KubeconfigClientsConfig,
  ) {}

  async fromKubeconfig(file: string): Promise<KubeClient> {
    const { transports, ...deps } = this.deps;
    const transport = transports.fromKubeconfig(file);
    // Reads the kubeconfig, so that its errors appear here; does not call the server.
    await transport.start();
    const client = createKubeClient({ ...deps, transport }, this.config);
    return withOwnTransport(client, transport);
  }
}
