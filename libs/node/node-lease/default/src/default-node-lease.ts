import { LOGGER } from '@podwright/assembly-interface';
import type { Health } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { NodeLease } from '@podwright/node-lease-interface';
import { inject, injectable } from 'tsyringe';
import { DEFAULT_NODE_LEASE_CONFIG, defaultNodeLeaseConfigSchema } from './default-node-lease-config.js';
import type { DefaultNodeLeaseConfig } from './default-node-lease-config.js';

/** {@link NodeLease} that ... (say what is special about this one). */
@injectable()
export class DefaultNodeLease implements NodeLease {
  private started = false;

  constructor(
    @inject(LOGGER) private readonly logger: Logger,
    @inject(DEFAULT_NODE_LEASE_CONFIG) private readonly config: DefaultNodeLeaseConfig,
  ) {}

  async start(): Promise<void> {
    this.started = true;
    this.logger.debug(2, 'node-lease started', { timeoutMs: this.config.timeoutMs });
  }

  async stop(): Promise<void> {
    this.started = false;
  }

  healthy(): Health {
    return this.started ? { ok: true } : { ok: false, reason: 'node-lease is not started' };
  }
}

export interface DefaultNodeLeaseDeps {
  readonly logger: Logger;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createDefaultNodeLease(
  deps: DefaultNodeLeaseDeps,
  options: Partial<DefaultNodeLeaseConfig> = {},
): DefaultNodeLease {
  const decoded = defaultNodeLeaseConfigSchema.decode(options);
  if (decoded.ok) return new DefaultNodeLease(deps.logger, decoded.value);
  const problems = decoded.faults.map(({ field, problem }) => `${field} ${problem}`);
  throw new KubeletError(`node-lease options: ${problems.join('; ')}`, { code: 'invalid-argument' });
}
