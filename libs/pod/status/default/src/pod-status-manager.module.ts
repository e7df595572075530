import { CLOCK, LOGGER, METRICS, defineModule } from '@podwright/assembly-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { POD_MEMORY } from '@podwright/pod-memory-interface';
import { STATUS_DELIVERY, STATUS_MANAGER } from '@podwright/status-interface';
import { PodStatusManager } from './pod-status-manager.js';
import { STATUS_KEEPING, keepsAllStatuses } from './status-keeping.js';

export const statusModule = defineModule({
  name: '@podwright/status',
  provides: [STATUS_MANAGER, STATUS_DELIVERY],
  requires: [POD_MANAGER, POD_MEMORY, CLOCK, LOGGER, METRICS],
  register: (container) => {
    container.register(STATUS_KEEPING, { useValue: keepsAllStatuses });
    container.registerSingleton(PodStatusManager);
    container.register(STATUS_MANAGER, { useToken: PodStatusManager });
    container.register(STATUS_DELIVERY, { useToken: PodStatusManager });
  },
});
