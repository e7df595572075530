import { LOGGER, defineModule } from '@podwright/assembly-interface';
import { PROBE_MANAGER, PROBE_RESULTS } from '@podwright/probe-interface';
import { ProbelessManager } from './probeless-manager.js';

export const probeModule = defineModule({
  name: '@podwright/probe',
  provides: [PROBE_MANAGER, PROBE_RESULTS],
  requires: [LOGGER],
  register: (container) => {
    container.registerSingleton(ProbelessManager);
    container.register(PROBE_MANAGER, { useToken: ProbelessManager });
    container.register(PROBE_RESULTS, { useToken: ProbelessManager });
  },
});
