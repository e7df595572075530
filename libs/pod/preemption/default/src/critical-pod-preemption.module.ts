import { ALLOCATED_RESOURCES } from '@podwright/allocation-interface';
import { LOGGER, METRICS, defineModule } from '@podwright/assembly-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { ACTIVE_PODS, POD_WORKERS } from '@podwright/pod-workers-interface';
import { PREEMPTION } from '@podwright/preemption-interface';
import { CriticalPodPreemption } from './critical-pod-preemption.js';

export const preemptionModule = defineModule({
  name: '@podwright/preemption',
  provides: [PREEMPTION],
  requires: [ACTIVE_PODS, ALLOCATED_RESOURCES, POD_WORKERS, EVENT_RECORDER, LOGGER, METRICS],
  register: (container) => {
    container.registerSingleton(CriticalPodPreemption);
    container.register(PREEMPTION, { useToken: CriticalPodPreemption });
  },
});
