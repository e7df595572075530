import { LOGGER } from '@podwright/assembly-interface';
import type { Health } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { CertRotation } from '@podwright/cert-rotation-interface';
import { inject, injectable } from 'tsyringe';
import { DEFAULT_CERT_ROTATION_CONFIG, defaultCertRotationConfigSchema } from './default-cert-rotation-config.js';
import type { DefaultCertRotationConfig } from './default-cert-rotation-config.js';

/** {@link CertRotation} that ... (say what is special about this one). */
@injectable()
export class DefaultCertRotation implements CertRotation {
  private started = false;

  constructor(
    @inject(LOGGER) private readonly logger: Logger,
    @inject(DEFAULT_CERT_ROTATION_CONFIG) private readonly config: DefaultCertRotationConfig,
  ) {}

  async start(): Promise<void> {
    this.started = true;
    this.logger.debug(2, 'cert-rotation started', { timeoutMs: this.config.timeoutMs });
  }

  async stop(): Promise<void> {
    this.started = false;
  }

  healthy(): Health {
    return this.started ? { ok: true } : { ok: false, reason: 'cert-rotation is not started' };
  }
}

export interface DefaultCertRotationDeps {
  readonly logger: Logger;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createDefaultCertRotation(
  deps: DefaultCertRotationDeps,
  options: Partial<DefaultCertRotationConfig> = {},
): DefaultCertRotation {
  const decoded = defaultCertRotationConfigSchema.decode(options);
  if (decoded.ok) return new DefaultCertRotation(deps.logger, decoded.value);
  const problems = decoded.faults.map(({ field, problem }) => `${field} ${problem}`);
  throw new KubeletError(`cert-rotation options: ${problems.join('; ')}`, { code: 'invalid-argument' });
}
