import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { MemoryPodManager, podManagerNeeds } from './memory-pod-manager.js';

export const podManagerModule = defineModule({
  name: '@podwright/pod-manager',
  provides: [POD_MANAGER],
  needs: podManagerNeeds,
  create: (deps) => new MemoryPodManager(deps),
});

/** Creates one without an assembly. */
export const createPodManager = factoryOf(podManagerModule);
