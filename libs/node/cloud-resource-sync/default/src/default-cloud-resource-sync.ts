import { LOGGER } from '@podwright/assembly-interface';
import type { Health } from '@podwright/assembly-interface';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { CloudResourceSync } from '@podwright/cloud-resource-sync-interface';
import { inject, injectable } from 'tsyringe';
import {
  DEFAULT_CLOUD_RESOURCE_SYNC_CONFIG,
  defaultCloudResourceSyncConfigSchema,
} from './default-cloud-resource-sync-config.js';
import type { DefaultCloudResourceSyncConfig } from './default-cloud-resource-sync-config.js';

/** {@link CloudResourceSync} that ... (say what is special about this one). */
@injectable()
export class DefaultCloudResourceSync implements CloudResourceSync {
  private started = false;

  constructor(
    @inject(LOGGER) private readonly logger: Logger,
    @inject(DEFAULT_CLOUD_RESOURCE_SYNC_CONFIG) private readonly config: DefaultCloudResourceSyncConfig,
  ) {}

  async start(): Promise<void> {
    this.started = true;
    this.logger.debug(2, 'cloud-resource-sync started', { timeoutMs: this.config.timeoutMs });
  }

  async stop(): Promise<void> {
    this.started = false;
  }

  healthy(): Health {
    return this.started ? { ok: true } : { ok: false, reason: 'cloud-resource-sync is not started' };
  }
}

export interface DefaultCloudResourceSyncDeps {
  readonly logger: Logger;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createDefaultCloudResourceSync(
  deps: DefaultCloudResourceSyncDeps,
  options: Partial<DefaultCloudResourceSyncConfig> = {},
): DefaultCloudResourceSync {
  const decoded = defaultCloudResourceSyncConfigSchema.decode(options);
  if (decoded.ok) return new DefaultCloudResourceSync(deps.logger, decoded.value);
  const problems = decoded.faults.map(({ field, problem }) => `${field} ${problem}`);
  throw new KubeletError(`cloud-resource-sync options: ${problems.join('; ')}`, { code: 'invalid-argument' });
}
