import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { LOCAL_POD_SOURCE } from '@podwright/pod-config-interface';
import { EndedLocalPods, endedLocalPodsNeeds } from './ended-local-pods.js';
import { localPodsConfigSchema } from './local-pods-config.js';
import { LocalPods, localPodsNeeds } from './local-pods.js';

export const localPodsModule = defineModule({
  name: '@podwright/pod-config#local',
  provides: [LOCAL_POD_SOURCE],
  needs: localPodsNeeds,
  config: localPodsConfigSchema,
  create: (deps, config) => new LocalPods(deps, config),
});

/** Creates one without an assembly. */
export const createLocalPods = factoryOf(localPodsModule);

/** Apart from the source, which the status manager's modules come after. */
export const endedLocalPodsModule = defineModule({
  name: '@podwright/pod-config#local-removal',
  provides: [],
  needs: endedLocalPodsNeeds,
  create: (deps) => new EndedLocalPods(deps),
});

/** Creates one without an assembly. */
export const createEndedLocalPods = factoryOf(endedLocalPodsModule);
