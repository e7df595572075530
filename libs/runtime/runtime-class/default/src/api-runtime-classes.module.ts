import { defineModule } from '@podwright/assembly-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { RUNTIME_CLASSES } from '@podwright/runtime-class-interface';
import { ApiRuntimeClasses } from './api-runtime-classes.js';

export const apiRuntimeClassesModule = defineModule({
  name: '@podwright/runtime-class#api',
  provides: [RUNTIME_CLASSES],
  requires: [KUBE_CLIENT],
  register: (container) => {
    container.registerSingleton(ApiRuntimeClasses);
    container.register(RUNTIME_CLASSES, { useToken: ApiRuntimeClasses }); // alias: both names give one instance
  },
});
