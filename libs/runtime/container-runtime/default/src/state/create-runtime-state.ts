import type { RuntimeState, RuntimeStateRefresh } from '@podwright/container-runtime-interface';
import type { RuntimeService } from '@podwright/cri-client-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { decodeOptions } from '../decode-options.js';
import { PolledRuntimeState } from './polled-runtime-state.js';
import type { RuntimeStateConfig } from './runtime-state-config.js';
import { runtimeStateConfigSchema } from './runtime-state-config.js';

export interface RuntimeStateDeps {
  readonly runtime: Pick<RuntimeService, 'status'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The runtime state without an assembly. Throws `invalid-argument` for a wrong option, naming it. */
export function createRuntimeState(
  deps: RuntimeStateDeps,
  options: Partial<RuntimeStateConfig> = {},
): RuntimeState & RuntimeStateRefresh {
  const config = decodeOptions(runtimeStateConfigSchema, options);
  return new PolledRuntimeState(deps.runtime, deps.clock, deps.logger, config);
}
