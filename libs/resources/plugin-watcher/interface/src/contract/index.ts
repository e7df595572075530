export { describePluginWatcherContract } from './plugin-watcher-contract.js';
export type { FakePlugin, PluginWatcherHarness } from './plugin-watcher-contract.js';
