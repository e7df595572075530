export type {
  InfoRequest,
  PluginInfo,
  RegistrationStatus,
  RegistrationStatusResponse,
} from './generated/pluginregistration.js';
export { PLUGIN_WATCHER } from './plugin-watcher.js';
export type { PluginHandler, PluginWatcher, RegisteredPlugin } from './plugin-watcher.js';
