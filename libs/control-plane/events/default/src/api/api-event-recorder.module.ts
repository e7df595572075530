import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { EVENT_RECORDER, RECENT_EVENTS } from '@podwright/events-interface';
import { ApiEventRecorder, apiEventRecorderNeeds } from './api-event-recorder.js';
import { apiEventRecorderConfigSchema } from './api-event-recorder-config.js';

export const apiEventRecorderModule = defineModule({
  name: '@podwright/events#api',
  provides: [EVENT_RECORDER, RECENT_EVENTS],
  needs: apiEventRecorderNeeds,
  config: apiEventRecorderConfigSchema,
  create: (deps, config) => new ApiEventRecorder(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createApiEventRecorder = factoryOf(apiEventRecorderModule);
