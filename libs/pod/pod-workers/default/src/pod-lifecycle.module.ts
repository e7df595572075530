import { defineModule } from '@podwright/assembly-interface';
import { POD_LIFECYCLE } from '@podwright/pod-workers-interface';
import { POD_LIFECYCLE_TABLE, PodLifecycleTable } from './pod-lifecycle-table.js';

/** A module of its own: status, volume and other managers query the records, and the workers need those managers. */
export const podLifecycleModule = defineModule({
  name: '@podwright/pod-workers#lifecycle',
  provides: [POD_LIFECYCLE, POD_LIFECYCLE_TABLE],
  create: () => new PodLifecycleTable(),
});
