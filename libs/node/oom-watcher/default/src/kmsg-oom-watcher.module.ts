import { defineModule } from '@podwright/assembly-interface';
import { OOM_WATCHER } from '@podwright/oom-watcher-interface';
import { kmsgOomWatcherConfigSchema } from './kmsg-oom-watcher-config.js';
import { KmsgOomWatcher, oomWatcherNeeds } from './kmsg-oom-watcher.js';

export const oomWatcherModule = defineModule({
  name: '@podwright/oom-watcher',
  provides: [OOM_WATCHER],
  needs: oomWatcherNeeds,
  config: kmsgOomWatcherConfigSchema,
  create: (deps, config) => new KmsgOomWatcher(deps, config),
});
