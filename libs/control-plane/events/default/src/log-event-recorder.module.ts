import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { EVENT_RECORDER, RECENT_EVENTS } from '@podwright/events-interface';
import { logEventRecorderConfigSchema } from './log-event-recorder-config.js';
import { LogEventRecorder } from './log-event-recorder.js';

export const logEventRecorderModule = defineModule({
  name: '@podwright/events',
  provides: [EVENT_RECORDER, RECENT_EVENTS],
  requires: [CLOCK, LOGGER, METRICS],
  config: logEventRecorderConfigSchema,
  register: (container) => {
    container.registerSingleton(LogEventRecorder);
    container.register(EVENT_RECORDER, { useToken: LogEventRecorder }); // alias: all names give one instance
    container.register(RECENT_EVENTS, { useToken: LogEventRecorder });
  },
});
