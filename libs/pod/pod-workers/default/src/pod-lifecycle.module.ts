import { defineModule } from '@podwright/assembly-interface';
import { POD_LIFECYCLE } from '@podwright/pod-workers-interface';
import { POD_LIFECYCLE_TABLE, PodLifecycleTable } from './pod-lifecycle-table.js';

/** The record table, apart from the workers: status, volume and the rest ask it, and the workers need them. */
export const podLifecycleModule = defineModule({
  name: '@podwright/pod-workers#lifecycle',
  provides: [POD_LIFECYCLE, POD_LIFECYCLE_TABLE],
  requires: [],
  register: (container) => {
    container.registerSingleton(PodLifecycleTable);
    container.register(POD_LIFECYCLE, { useToken: PodLifecycleTable });
    container.register(POD_LIFECYCLE_TABLE, { useToken: PodLifecycleTable });
  },
});
