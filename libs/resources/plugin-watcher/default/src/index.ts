export { DirectoryPluginWatcher, pluginWatcherNeeds } from './directory-plugin-watcher.js';
export type { PluginWatcherNeeds } from './directory-plugin-watcher.js';
export { directoryPluginWatcherConfigSchema } from './directory-watcher-config.js';
export type { DirectoryPluginWatcherConfig } from './directory-watcher-config.js';
export { createDirectoryPluginWatcher, pluginWatcherModule } from './directory-plugin-watcher.module.js';
