import { defineModule, factoryOf, type Needs } from '@podwright/assembly-interface';
import { MIRROR_POD_CLIENT } from '@podwright/pod-manager-interface';
import { ApiMirrorPods, apiMirrorPodsNeeds } from './api-mirror-pods.js';

export const apiMirrorPodsModule = defineModule({
  name: '@podwright/pod-manager#api',
  provides: [MIRROR_POD_CLIENT],
  needs: apiMirrorPodsNeeds,
  create: (deps: Needs<typeof apiMirrorPodsNeeds>) => new ApiMirrorPods(deps),
});

/** Creates one without an assembly. */
export const createApiMirrorPods = factoryOf(apiMirrorPodsModule);
