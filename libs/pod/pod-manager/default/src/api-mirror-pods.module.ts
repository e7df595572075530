import { CLOCK, LOGGER, defineModule } from '@podwright/assembly-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { REGISTERED_NODE } from '@podwright/node-status-interface';
import { MIRROR_POD_CLIENT, POD_MANAGER } from '@podwright/pod-manager-interface';
import { ApiMirrorPods } from './api-mirror-pods.js';

export const apiMirrorPodsModule = defineModule({
  name: '@podwright/pod-manager#api',
  provides: [MIRROR_POD_CLIENT],
  requires: [KUBE_CLIENT, POD_MANAGER, REGISTERED_NODE, CLOCK, LOGGER],
  register: (container) => {
    container.registerSingleton(ApiMirrorPods);
    container.register(MIRROR_POD_CLIENT, { useToken: ApiMirrorPods });
  },
});
