import { defineModule, factoryOf } from '@podwright/assembly-interface';
import { PLUGIN_WATCHER } from '@podwright/plugin-watcher-interface';
import { DirectoryPluginWatcher, pluginWatcherNeeds } from './directory-plugin-watcher.js';
import { directoryPluginWatcherConfigSchema } from './directory-watcher-config.js';

export const pluginWatcherModule = defineModule({
  name: '@podwright/plugin-watcher',
  provides: [PLUGIN_WATCHER],
  needs: pluginWatcherNeeds,
  config: directoryPluginWatcherConfigSchema,
  create: (deps, config) => new DirectoryPluginWatcher(deps, config),
});

/** Creates one without an assembly. Throws `invalid-argument` for options out of range. */
export const createDirectoryPluginWatcher = factoryOf(pluginWatcherModule);
