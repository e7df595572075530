import 'reflect-metadata'; // tsyringe refuses to load without it
export { createOomWatcher, KmsgOomWatcher } from './kmsg-oom-watcher.js';
export type { KmsgOomWatcherDeps } from './kmsg-oom-watcher.js';
export { KMSG_OOM_WATCHER_CONFIG, kmsgOomWatcherConfigSchema } from './kmsg-oom-watcher-config.js';
export type { KmsgOomWatcherConfig } from './kmsg-oom-watcher-config.js';
export { openKernelLog } from './kernel-log.js';
export type { KernelLog, OpenKernelLog } from './kernel-log.js';
export { oomWatcherModule } from './kmsg-oom-watcher.module.js';
