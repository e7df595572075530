import { decodeOptions } from '@podwright/assembly-interface';
import type { KubeTransport } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { Clock, Random } from '@podwright/time';
import { kubeClientConfigSchema, type KubeClientConfig } from './kube-client-config.js';
import { TransportKubeClient } from './transport-kube-client.js';

export interface KubeClientDeps {
  /** The caller starts and stops it. */
  readonly transport: KubeTransport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Makes a client without a container. Throws `invalid-argument` for options out of range. */
export function createKubeClient(
  { transport, clock, random, logger, metrics }: KubeClientDeps,
  options: Partial<KubeClientConfig> = {},
): TransportKubeClient {
  const config = decodeOptions('kube-client', kubeClientConfigSchema, options);
  return new TransportKubeClient(transport, clock, random, logger, metrics, config);
}
