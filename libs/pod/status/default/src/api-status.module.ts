import { CLOCK, LOGGER, METRICS, RANDOM, defineModule } from '@podwright/assembly-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { API_POD_STORE } from '@podwright/pod-config-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { POD_MEMORY } from '@podwright/pod-memory-interface';
import { POD_LIFECYCLE } from '@podwright/pod-workers-interface';
import { POD_START_OBSERVER, STATUS_DELIVERY, STATUS_MANAGER } from '@podwright/status-interface';
import { PodStartDurations } from './pod-start-durations.js';
import { PodStatusManager } from './pod-status-manager.js';
import { STATUS_KEEPING, keepsWhatTheApiLacks } from './status-keeping.js';
import { statusSenderConfig } from './status-sender-config.js';
import { StatusSender } from './status-sender.js';

/** The status manager of a node with an API server. */
export const apiStatusModule = defineModule({
  name: '@podwright/status#api',
  provides: [STATUS_MANAGER, STATUS_DELIVERY, POD_START_OBSERVER],
  requires: [KUBE_CLIENT, API_POD_STORE, POD_MANAGER, POD_MEMORY, POD_LIFECYCLE, CLOCK, RANDOM, LOGGER, METRICS],
  config: statusSenderConfig,
  register: (container) => {
    container.register(STATUS_KEEPING, { useValue: keepsWhatTheApiLacks });
    container.registerSingleton(PodStatusManager);
    container.registerSingleton(PodStartDurations);
    container.registerSingleton(StatusSender);
    container.register(POD_START_OBSERVER, { useToken: PodStartDurations });
    container.register(STATUS_MANAGER, { useToken: PodStatusManager });
    container.register(STATUS_DELIVERY, { useToken: StatusSender });
  },
});
