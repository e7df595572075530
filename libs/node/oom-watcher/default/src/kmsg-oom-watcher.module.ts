import { CLOCK, defineModule, LOGGER } from '@podwright/assembly-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { OOM_WATCHER } from '@podwright/oom-watcher-interface';
import { kmsgOomWatcherConfigSchema } from './kmsg-oom-watcher-config.js';
import { KmsgOomWatcher } from './kmsg-oom-watcher.js';

export const oomWatcherModule = defineModule({
  name: '@podwright/oom-watcher',
  provides: [OOM_WATCHER],
  requires: [EVENT_RECORDER, CLOCK, LOGGER],
  config: kmsgOomWatcherConfigSchema,
  register: (container) => {
    container.registerSingleton(KmsgOomWatcher);
    container.register(OOM_WATCHER, { useToken: KmsgOomWatcher });
  },
});
