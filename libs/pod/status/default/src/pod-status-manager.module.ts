import { CLOCK, LOGGER, defineModule } from '@podwright/assembly-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { PodStatusManager } from './pod-status-manager.js';

export const statusModule = defineModule({
  name: '@podwright/status',
  provides: [STATUS_MANAGER],
  requires: [POD_MANAGER, CLOCK, LOGGER],
  register: (container) => {
    container.registerSingleton(PodStatusManager);
    container.register(STATUS_MANAGER, { useToken: PodStatusManager });
  },
});
