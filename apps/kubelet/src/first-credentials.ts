import { prepareBootstrapKubeconfig, type BootstrapOptions } from '@podwright/cert-rotation';
import { KubeconfigClients } from '@podwright/kube-client';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import { createSystemRandom, type Clock } from '@podwright/time';
import { clientUserAgent } from './client-user-agent.js';

export interface FirstCredentialsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Before any part that reads the kubeconfig is made: writes it with `--bootstrap-kubeconfig` when that is needed. */
export async function prepareFirstCredentials(
  { clock, logger, metrics }: FirstCredentialsDeps,
  options: BootstrapOptions,
  signal: AbortSignal,
): Promise<void> {
  const random = createSystemRandom();
  const clients = new KubeconfigClients(clock, random, logger, metrics, { userAgent: clientUserAgent() });
  const deps = { clock, random, logger: logger.with({ logger: 'bootstrap' }), clients };
  await prepareBootstrapKubeconfig(deps, options, signal);
}
