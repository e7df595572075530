import { LOGGER } from '@podwright/assembly-interface';
import type { Health } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { ServiceAccountToken } from '@podwright/service-account-token-interface';
import { inject, injectable } from 'tsyringe';
import {
  DEFAULT_SERVICE_ACCOUNT_TOKEN_CONFIG,
  defaultServiceAccountTokenConfigSchema,
} from './default-service-account-token-config.js';
import type { DefaultServiceAccountTokenConfig } from './default-service-account-token-config.js';

/** {@link ServiceAccountToken} that ... (say what is special about this one). */
@injectable()
export class DefaultServiceAccountToken implements ServiceAccountToken {
  private started = false;

  constructor(
    @inject(LOGGER) private readonly logger: Logger,
    @inject(DEFAULT_SERVICE_ACCOUNT_TOKEN_CONFIG) private readonly config: DefaultServiceAccountTokenConfig,
  ) {}

  async start(): Promise<void> {
    this.started = true;
    this.logger.debug(2, 'service-account-token started', { timeoutMs: this.config.timeoutMs });
  }

  async stop(): Promise<void> {
    this.started = false;
  }

  healthy(): Health {
    return this.started ? { ok: true } : { ok: false, reason: 'service-account-token is not started' };
  }
}

export interface DefaultServiceAccountTokenDeps {
  readonly logger: Logger;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createDefaultServiceAccountToken(
  deps: DefaultServiceAccountTokenDeps,
  options: Partial<DefaultServiceAccountTokenConfig> = {},
): DefaultServiceAccountToken {
  const decoded = defaultServiceAccountTokenConfigSchema.decode(options);
  if (decoded.ok) return new DefaultServiceAccountToken(deps.logger, decoded.value);
  const problems = decoded.faults.map(({ field, problem }) => `${field} ${problem}`);
  throw new KubeletError(`service-account-token options: ${problems.join('; ')}`, { code: 'invalid-argument' });
}
