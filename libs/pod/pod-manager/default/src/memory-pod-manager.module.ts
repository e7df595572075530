import { METRICS, defineModule } from '@podwright/assembly-interface';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { MemoryPodManager } from './memory-pod-manager.js';

export const podManagerModule = defineModule({
  name: '@podwright/pod-manager',
  provides: [POD_MANAGER],
  requires: [METRICS],
  register: (container) => {
    container.registerSingleton(MemoryPodManager);
    container.register(POD_MANAGER, { useToken: MemoryPodManager });
  },
});
