import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { ACTIVE_PODS } from '@podwright/pod-workers-interface';
import { ActivePodFilter, activePodsNeeds } from './active-pod-filter.js';

/** The active pods of this node, for admission, eviction, preemption and others that sum up what pods use. */
export const activePodsModule = defineModule({
  name: '@podwright/pod-workers#active-pods',
  provides: [ACTIVE_PODS],
  needs: activePodsNeeds,
  create: (deps) => new ActivePodFilter(deps),
});

/** Creates one without an assembly. */
export const createActivePods = factoryOf(activePodsModule);
