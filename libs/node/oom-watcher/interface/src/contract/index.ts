export { describeOomWatcherContract } from './oom-watcher-contract.js';
export type { OomWatcherHarness } from './oom-watcher-contract.js';
