import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { POD_CONFIG } from '@podwright/pod-config-interface';
import { MergedPodConfig, podConfigNeeds } from './merged-pod-config.js';
import { podConfigSchema } from './pod-config-options.js';
import { createStaticPodSources } from './static-pod-sources.js';

export const podConfigModule = defineModule({
  name: '@podwright/pod-config',
  provides: [POD_CONFIG],
  needs: podConfigNeeds,
  config: podConfigSchema,
  create: (deps, config) => new MergedPodConfig(deps, createStaticPodSources(deps, config)),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createPodConfig = factoryOf(podConfigModule);
