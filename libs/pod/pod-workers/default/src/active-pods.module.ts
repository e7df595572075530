import { defineModule } from '@podwright/assembly-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { ACTIVE_PODS, POD_LIFECYCLE } from '@podwright/pod-workers-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';
import { ActivePodFilter } from './active-pod-filter.js';

/** Which pods count on this node: asked by admission, eviction, preemption and whoever else adds up what pods use. */
export const activePodsModule = defineModule({
  name: '@podwright/pod-workers#active-pods',
  provides: [ACTIVE_PODS],
  requires: [POD_MANAGER, POD_LIFECYCLE, STATUS_MANAGER],
  register: (container) => {
    container.registerSingleton(ActivePodFilter);
    container.register(ACTIVE_PODS, { useToken: ActivePodFilter });
  },
});
