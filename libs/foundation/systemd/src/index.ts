export { notifySystemd } from './notify-systemd.js';
export type { NotifyDeps } from './notify-systemd.js';
export { SystemdWatchdog } from './systemd-watchdog.js';
export type { SystemdWatchdogDeps, WatchdogCheck } from './systemd-watchdog.js';
