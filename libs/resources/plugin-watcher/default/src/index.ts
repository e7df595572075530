import 'reflect-metadata'; // tsyringe refuses to load without it
export { createDirectoryPluginWatcher, DirectoryPluginWatcher } from './directory-plugin-watcher.js';
export type { DirectoryPluginWatcherDeps } from './directory-plugin-watcher.js';
export { DIRECTORY_PLUGIN_WATCHER_CONFIG, directoryPluginWatcherConfigSchema } from './directory-watcher-config.js';
export type { DirectoryPluginWatcherConfig } from './directory-watcher-config.js';
export { pluginWatcherModule } from './directory-plugin-watcher.module.js';
