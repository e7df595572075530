import { defineModule } from '@podwright/assembly-interface';
import { POD_WORK_QUEUE } from '@podwright/pod-workers-interface';
import { podWorkQueueNeeds, TimedWorkQueue } from './timed-work-queue.js';

export const podWorkQueueModule = defineModule({
  name: '@podwright/pod-workers#queue',
  provides: [POD_WORK_QUEUE],
  needs: podWorkQueueNeeds,
  create: (deps) => new TimedWorkQueue(deps),
});
