import { CLOCK, defineModule, LOGGER } from '@podwright/assembly-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { API_POD_SOURCE, POD_CONFIG } from '@podwright/pod-config-interface';
import { MergedPodConfig } from './merged-pod-config.js';
import { POD_CONFIG_OPTIONS, podConfigSchema } from './pod-config-options.js';
import { createStaticPodSources, STATIC_POD_SOURCES } from './static-pod-sources.js';

export const podConfigModule = defineModule({
  name: '@podwright/pod-config',
  provides: [POD_CONFIG],
  requires: [CLOCK, LOGGER, EVENT_RECORDER],
  optional: [API_POD_SOURCE],
  config: podConfigSchema,
  register: (container) => {
    container.register(STATIC_POD_SOURCES, {
      useFactory: (resolver) =>
        createStaticPodSources(resolver.resolve(CLOCK), resolver.resolve(LOGGER), resolver.resolve(POD_CONFIG_OPTIONS)),
    });
    container.registerSingleton(MergedPodConfig);
    container.register(POD_CONFIG, { useToken: MergedPodConfig });
  },
});
