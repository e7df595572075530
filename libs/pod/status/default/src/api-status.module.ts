import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { POD_START_OBSERVER, STATUS_DELIVERY, STATUS_MANAGER } from '@podwright/status-interface';
import { PodStartDurations } from './pod-start-durations.js';
import { PodStatusManager, statusNeeds } from './pod-status-manager.js';
import { keepsWhatTheApiLacks } from './status-keeping.js';
import { statusSenderConfig } from './status-sender-config.js';
import { StatusSender, statusSenderNeeds } from './status-sender.js';

/** The status manager of a node with an API server, and the sender of its statuses. */
export const apiStatusModule = defineModule({
  name: '@podwright/status#api',
  provides: { manager: STATUS_MANAGER, starts: POD_START_OBSERVER, sender: STATUS_DELIVERY },
  needs: { ...statusNeeds, ...statusSenderNeeds },
  config: statusSenderConfig,
  create: (deps, config) => {
    const manager = new PodStatusManager(deps, keepsWhatTheApiLacks);
    const starts = new PodStartDurations(deps);
    return { manager, starts, sender: new StatusSender({ ...deps, statuses: manager, starts }, config) };
  },
});

/**
 * Creates both without an assembly; start the manager first, stop it last. Throws `invalid-argument` for options
 * out of range.
 */
export const createApiStatusManager = factoryOf(apiStatusModule);
export type ApiStatusParts = ReturnType<typeof createApiStatusManager>;
