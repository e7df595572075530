import { CLOCK, LOGGER, METRICS, RANDOM } from '@podwright/assembly-interface';
import type { KubeClient, KubeClientFactory } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { Clock, Random } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { createKubeClient } from '../create-kube-client.js';
import { createKubeTransport } from './kubeconfig-transport.js';
import { KUBECONFIG_CLIENTS_CONFIG } from './kubeconfig-clients-config.js';
import type { KubeconfigClientsConfig } from './kubeconfig-clients-config.js';
import { withOwnTransport } from './with-own-transport.js';

/** {@link KubeClientFactory} whose clients have a transport of their own. */
@injectable()
export class KubeconfigClients implements KubeClientFactory {
  constructor(
    @inject(CLOCK) private readonly clock: Clock,
    @inject(RANDOM) private readonly random: Random,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(METRICS) private readonly metrics: MetricsRegistry,
    @inject(KUBECONFIG_CLIENTS_CONFIG) private readonly config: KubeconfigClientsConfig,
  ) {}

  async fromKubeconfig(file: string): Promise<KubeClient> {
    const { clock, random, logger, metrics } = this;
    const transport = createKubeTransport({ clock, logger, metrics }, { kubeconfig: file });
    // Reads the kubeconfig, so that what is wrong with it is said here; the server is not asked.
    await transport.start();
    const client = createKubeClient({ transport, clock, random, logger, metrics }, this.config);
    return withOwnTransport(client, transport);
  }
}
