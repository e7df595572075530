import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { PREEMPTION } from '@podwright/preemption-interface';
import { CriticalPodPreemption, preemptionNeeds } from './critical-pod-preemption.js';

export const preemptionModule = defineModule({
  name: '@podwright/preemption',
  provides: [PREEMPTION],
  needs: preemptionNeeds,
  create: (deps) => new CriticalPodPreemption(deps),
});

/** Creates one without an assembly. */
export const createCriticalPodPreemption = factoryOf(preemptionModule);
