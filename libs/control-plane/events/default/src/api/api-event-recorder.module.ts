import { CLOCK, defineModule, LOGGER, METRICS, RANDOM } from '@podwright/assembly-interface';
import { CONTAINER_REF } from '@podwright/container-ref-interface';
import { EVENT_RECORDER, RECENT_EVENTS } from '@podwright/events-interface';
import { KUBE_CLIENT } from '@podwright/kube-client-interface';
import { ApiEventRecorder } from './api-event-recorder.js';
import { apiEventRecorderConfigSchema } from './api-event-recorder-config.js';

export const apiEventRecorderModule = defineModule({
  name: '@podwright/events#api',
  provides: [EVENT_RECORDER, RECENT_EVENTS],
  requires: [KUBE_CLIENT, CONTAINER_REF, CLOCK, RANDOM, LOGGER, METRICS],
  config: apiEventRecorderConfigSchema,
  register: (container) => {
    container.registerSingleton(ApiEventRecorder);
    container.register(EVENT_RECORDER, { useToken: ApiEventRecorder }); // alias: all names give one instance
    container.register(RECENT_EVENTS, { useToken: ApiEventRecorder });
  },
});
