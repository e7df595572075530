import { LOGGER } from '@podwright/assembly-interface';
import type { Health } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { ContainerRef } from '@podwright/container-ref-interface';
import { inject, injectable } from 'tsyringe';
import { DEFAULT_CONTAINER_REF_CONFIG, defaultContainerRefConfigSchema } from './default-container-ref-config.js';
import type { DefaultContainerRefConfig } from './default-container-ref-config.js';

/** {@link ContainerRef} that ... (say what is special about this one). */
@injectable()
export class DefaultContainerRef implements ContainerRef {
  private started = false;

  constructor(
    @inject(LOGGER) private readonly logger: Logger,
    @inject(DEFAULT_CONTAINER_REF_CONFIG) private readonly config: DefaultContainerRefConfig,
  ) {}

  async start(): Promise<void> {
    this.started = true;
    this.logger.debug(2, 'container-ref started', { timeoutMs: this.config.timeoutMs });
  }

  async stop(): Promise<void> {
    this.started = false;
  }

  healthy(): Health {
    return this.started ? { ok: true } : { ok: false, reason: 'container-ref is not started' };
  }
}

export interface DefaultContainerRefDeps {
  readonly logger: Logger;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createDefaultContainerRef(
  deps: DefaultContainerRefDeps,
  options: Partial<DefaultContainerRefConfig> = {},
): DefaultContainerRef {
  const decoded = defaultContainerRefConfigSchema.decode(options);
  if (decoded.ok) return new DefaultContainerRef(deps.logger, decoded.value);
  const problems = decoded.faults.map(({ field, problem }) => `${field} ${problem}`);
  throw new KubeletError(`container-ref options: ${problems.join('; ')}`, { code: 'invalid-argument' });
}
