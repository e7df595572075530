import { CLOCK, defineModule, LOGGER, METRICS } from '@podwright/assembly-interface';
import { PLUGIN_WATCHER } from '@podwright/plugin-watcher-interface';
import { DirectoryPluginWatcher } from './directory-plugin-watcher.js';
import { directoryPluginWatcherConfigSchema } from './directory-watcher-config.js';

export const pluginWatcherModule = defineModule({
  name: '@podwright/plugin-watcher',
  provides: [PLUGIN_WATCHER],
  requires: [CLOCK, METRICS, LOGGER],
  config: directoryPluginWatcherConfigSchema,
  register: (container) => {
    container.registerSingleton(DirectoryPluginWatcher);
    container.register(PLUGIN_WATCHER, { useToken: DirectoryPluginWatcher }); // alias: both names give one instance
  },
});
