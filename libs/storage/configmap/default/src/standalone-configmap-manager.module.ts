import { defineModule } from '@podwright/assembly-interface';
import { CONFIGMAP_MANAGER } from '@podwright/configmap-interface';
import { StandaloneConfigMapManager } from './standalone-configmap-manager.js';

export const configmapModule = defineModule({
  name: '@podwright/configmap',
  provides: [CONFIGMAP_MANAGER],
  requires: [],
  register: (container) => {
    container.registerSingleton(StandaloneConfigMapManager);
    container.register(CONFIGMAP_MANAGER, { useToken: StandaloneConfigMapManager });
  },
});
