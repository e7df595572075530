export { createOomWatcher, KmsgOomWatcher, oomWatcherNeeds } from './kmsg-oom-watcher.js';
export type { OomWatcherNeeds } from './kmsg-oom-watcher.js';
export { kmsgOomWatcherConfigSchema } from './kmsg-oom-watcher-config.js';
export type { KmsgOomWatcherConfig } from './kmsg-oom-watcher-config.js';
export { lost, openKernelLog, skipped } from './kernel-log.js';
export type { KernelLog, OpenKernelLog } from './kernel-log.js';
export { oomWatcherModule } from './kmsg-oom-watcher.module.js';
