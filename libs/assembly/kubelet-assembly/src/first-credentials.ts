import { prepareBootstrapKubeconfig, type BootstrapOptions } from '@podwright/cert-rotation';
import { KubeconfigClients } from '@podwright/kube-client';
import { createKubeTransports } from '@podwright/kube-transport';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import { createSystemRandom, type Clock } from '@podwright/time';
import { clientUserAgent } from './client-user-agent.js';

export interface FirstCredentialsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/**
 * Writes the kubeconfig from `--bootstrap-kubeconfig` when the node has none yet. It runs before any module that reads
 * the kubeconfig is constructed.
 */
export async function prepareFirstCredentials(
  { clock, logger, metrics }: FirstCredentialsDeps,
  options: BootstrapOptions,
  signal: AbortSignal,
): Promise<void> {
  const random = createSystemRandom();
  const transports = createKubeTransports({ clock, logger, metrics });
  const clients = new KubeconfigClients(
    { clock, random, logger, metrics, transports },
    { userAgent: clientUserAgent(), contentType: '', allowCbor: false, preferCbor: false },
  );
  const deps = { clock, random, logger: logger.with({ logger: 'bootstrap' }), clients };
  await prepareBootstrapKubeconfig(deps, options, signal);
}
