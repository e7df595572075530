export { PLUGIN_WATCHER } from './plugin-watcher.js';
export type { PluginHandler, PluginInfo, PluginWatcher } from './plugin-watcher.js';
