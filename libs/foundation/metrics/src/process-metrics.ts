import { readdir, readFile } from 'node:fs/promises';
import type { Clock, LoopDelayMonitor } from '@podwright/time';
import type { MetricsRegistry } from './metrics-registry.js';

export interface ProcessMetricsOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Adds `podwright_event_loop_delay_seconds`; made by `monitorLoopDelay` of `@podwright/time`. */
  readonly loopDelay?: LoopDelayMonitor;
}

/** Adds the metrics of this process that Go's client has, and the delay of the event loop. Returns unregister. */
export function registerProcessMetrics(registry: MetricsRegistry, options: ProcessMetricsOptions): () => void {
  const { loopDelay } = options;
  const stopRefresh = collectFromProc(registry);
  const cpu = registry.computed({
    name: 'process_cpu_seconds_total',
    help: 'Total user and system CPU time spent in seconds.',
    type: 'counter',
    collect: () => {
      const { user, system } = process.cpuUsage();
      return [{ value: (user + system) / 1e6 }];
    },
  });
  const startSeconds = options.clock.now() / 1000 - process.uptime();
  gaugeOnce(registry, 'process_start_time_seconds', 'Start time of the process since unix epoch in seconds.').set(
    startSeconds,
  );
  const delay = loopDelay === undefined ? undefined : registerLoopDelay(registry, loopDelay);
  return () => {
    stopRefresh();
    cpu();
    delay?.();
  };
}

/** The worst delay since the last scrape is what tells a stall; the mean hides it. */
function registerLoopDelay(registry: MetricsRegistry, monitor: LoopDelayMonitor): () => void {
  return registry.computed({
    name: 'podwright_event_loop_delay_seconds',
    help: 'Delay of the event loop since the last collection.',
    labels: ['stat'],
    type: 'gauge',
    collect: () => {
      const { meanSeconds, p99Seconds, maxSeconds } = monitor.read();
      monitor.reset();
      return [
        { labels: { stat: 'max' }, value: maxSeconds },
        { labels: { stat: 'mean' }, value: meanSeconds },
        { labels: { stat: 'p99' }, value: p99Seconds },
      ];
    },
  });
}

/** What only /proc knows. Elsewhere than on Linux these metrics keep the value 0. */
function collectFromProc(registry: MetricsRegistry): () => void {
  const rss = gaugeOnce(registry, 'process_resident_memory_bytes', 'Resident memory size in bytes.');
  const openFds = gaugeOnce(registry, 'process_open_fds', 'Number of open file descriptors.');
  const maxFds = gaugeOnce(registry, 'process_max_fds', 'Maximum number of open file descriptors.');
  const virtual = gaugeOnce(registry, 'process_virtual_memory_bytes', 'Virtual memory size in bytes.');
  return registry.onCollect(async () => {
    rss.set(process.memoryUsage.rss());
    if (process.platform !== 'linux') return;
    openFds.set((await readdir('/proc/self/fd')).length);
    const limit = /^Max open files\s+(\d+)/m.exec(await readFile('/proc/self/limits', 'utf8'))?.[1];
    if (limit !== undefined) maxFds.set(Number(limit));
    // The second field of stat is the command in brackets and may hold spaces; vsize is the 21st after it.
    const stat = await readFile('/proc/self/stat', 'utf8');
    virtual.set(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[20]));
  });
}

function gaugeOnce(registry: MetricsRegistry, name: string, help: string): ReturnType<MetricsRegistry['gauge']> {
  return registry.gauge({ name, help });
}
