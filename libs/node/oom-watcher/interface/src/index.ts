export { OOM_WATCHER } from './oom-watcher.js';
export type { OomKill, OomWatcher } from './oom-watcher.js';
