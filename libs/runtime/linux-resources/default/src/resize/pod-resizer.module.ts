import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { POD_RESIZER } from '@podwright/container-runtime-interface';
import { InPlacePodResizer, podResizerNeeds } from './in-place-pod-resizer.js';
import { podResizerConfigSchema } from './pod-resizer-config.js';

export const podResizerModule = defineModule({
  name: '@podwright/linux-resources#resize',
  provides: [POD_RESIZER],
  needs: podResizerNeeds,
  config: podResizerConfigSchema,
  create: (deps, config) => new InPlacePodResizer(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for a wrong option. */
export const createPodResizer = factoryOf(podResizerModule);
