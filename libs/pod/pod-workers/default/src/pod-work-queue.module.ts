import { CLOCK, defineModule } from '@podwright/assembly-interface';
import { POD_WORK_QUEUE } from '@podwright/pod-workers-interface';
import { TimedWorkQueue } from './timed-work-queue.js';

export const podWorkQueueModule = defineModule({
  name: '@podwright/pod-workers#queue',
  provides: [POD_WORK_QUEUE],
  requires: [CLOCK],
  register: (container) => {
    container.registerSingleton(TimedWorkQueue);
    container.register(POD_WORK_QUEUE, { useToken: TimedWorkQueue });
  },
});
