import { LOGGER } from '@podwright/assembly-interface';
import type { Health } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { KubeClient } from '@podwright/kube-client-interface';
import { inject, injectable } from 'tsyringe';
import { DEFAULT_KUBE_CLIENT_CONFIG, defaultKubeClientConfigSchema } from './default-kube-client-config.js';
import type { DefaultKubeClientConfig } from './default-kube-client-config.js';

/** {@link KubeClient} that ... (say what is special about this one). */
@injectable()
export class DefaultKubeClient implements KubeClient {
  private started = false;

  constructor(
    @inject(LOGGER) private readonly logger: Logger,
    @inject(DEFAULT_KUBE_CLIENT_CONFIG) private readonly config: DefaultKubeClientConfig,
  ) {}

  async start(): Promise<void> {
    this.started = true;
    this.logger.debug(2, 'kube-client started', { timeoutMs: this.config.timeoutMs });
  }

  async stop(): Promise<void> {
    this.started = false;
  }

  healthy(): Health {
    return this.started ? { ok: true } : { ok: false, reason: 'kube-client is not started' };
  }
}

export interface DefaultKubeClientDeps {
  readonly logger: Logger;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createDefaultKubeClient(
  deps: DefaultKubeClientDeps,
  options: Partial<DefaultKubeClientConfig> = {},
): DefaultKubeClient {
  const decoded = defaultKubeClientConfigSchema.decode(options);
  if (decoded.ok) return new DefaultKubeClient(deps.logger, decoded.value);
  const problems = decoded.faults.map(({ field, problem }) => `${field} ${problem}`);
  throw new KubeletError(`kube-client options: ${problems.join('; ')}`, { code: 'invalid-argument' });
}
