import { LOGGER } from '@podwright/assembly-interface';
import type { Health } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { ClusterTrustBundle } from '@podwright/cluster-trust-bundle-interface';
import { inject, injectable } from 'tsyringe';
import {
  DEFAULT_CLUSTER_TRUST_BUNDLE_CONFIG,
  defaultClusterTrustBundleConfigSchema,
} from './default-cluster-trust-bundle-config.js';
import type { DefaultClusterTrustBundleConfig } from './default-cluster-trust-bundle-config.js';

/** {@link ClusterTrustBundle} that ... (say what is special about this one). */
@injectable()
export class DefaultClusterTrustBundle implements ClusterTrustBundle {
  private started = false;

  constructor(
    @inject(LOGGER) private readonly logger: Logger,
    @inject(DEFAULT_CLUSTER_TRUST_BUNDLE_CONFIG) private readonly config: DefaultClusterTrustBundleConfig,
  ) {}

  async start(): Promise<void> {
    this.started = true;
    this.logger.debug(2, 'cluster-trust-bundle started', { timeoutMs: this.config.timeoutMs });
  }

  async stop(): Promise<void> {
    this.started = false;
  }

  healthy(): Health {
    return this.started ? { ok: true } : { ok: false, reason: 'cluster-trust-bundle is not started' };
  }
}

export interface DefaultClusterTrustBundleDeps {
  readonly logger: Logger;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createDefaultClusterTrustBundle(
  deps: DefaultClusterTrustBundleDeps,
  options: Partial<DefaultClusterTrustBundleConfig> = {},
): DefaultClusterTrustBundle {
  const decoded = defaultClusterTrustBundleConfigSchema.decode(options);
  if (decoded.ok) return new DefaultClusterTrustBundle(deps.logger, decoded.value);
  const problems = decoded.faults.map(({ field, problem }) => `${field} ${problem}`);
  throw new KubeletError(`cluster-trust-bundle options: ${problems.join('; ')}`, { code: 'invalid-argument' });
}
