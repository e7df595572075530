import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { EVENT_RECORDER, RECENT_EVENTS } from '@podwright/events-interface';
import { logEventRecorderConfigSchema } from './log-event-recorder-config.js';
import { LogEventRecorder, logEventRecorderNeeds } from './log-event-recorder.js';

export const logEventRecorderModule = defineModule({
  name: '@podwright/events',
  provides: [EVENT_RECORDER, RECENT_EVENTS],
  needs: logEventRecorderNeeds,
  config: logEventRecorderConfigSchema,
  create: (deps, config) => new LogEventRecorder(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createLogEventRecorder = factoryOf(logEventRecorderModule);
