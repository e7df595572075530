import { readdir, readFile } from 'node:fs/promises';
import { processStartSeconds, type LoopDelayMonitor } from '@podwright/time';
import type { MetricsRegistry } from './metrics-registry.js';

export interface ProcessMetricsOptions {
  /** A monitor of `monitorLoopDelay` (`@podwright/time`); adds `podwright_event_loop_delay_seconds`. */
  readonly loopDelay?: LoopDelayMonitor;
}

/** Registers the process metrics of Go's client, and the delay of the event loop. Returns unregister. */
export function registerProcessMetrics(registry: MetricsRegistry, options: ProcessMetricsOptions = {}): () => void {
  const { loopDelay } = options;
  const stopRefresh = collectFromProc(registry);
  const cpu = registry.computed({
    name: 'process_cpu_seconds_total',
    help: 'Total user and system CPU time spent in seconds.',
    stability: 'none',
    type: 'counter',
    collect: () => {
      const { user, system } = process.cpuUsage();
      return [{ value: (user + system) / 1e6 }];
    },
  });
  gaugeOnce(registry, 'process_start_time_seconds', 'Start time of the process since unix epoch in seconds.').set(
    processStartSeconds(),
  );
  const delay = loopDelay === undefined ? undefined : registerLoopDelay(registry, loopDelay);
  return () => {
    stopRefresh();
    cpu();
    delay?.();
  };
}

/** Includes the worst delay since the last scrape, which shows a stall that the mean hides. */
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

/** Metrics that need /proc; they stay 0 on systems other than Linux. */
function collectFromProc(registry: MetricsRegistry): () => void {
  const rss = gaugeOnce(registry, 'process_resident_memory_bytes', 'Resident memory size in bytes.');
  const openFds = gaugeOnce(registry, 'process_open_fds', 'Number of open file descriptors.');
  const maxFds = gaugeOnce(registry, 'process_max_fds', 'Maximum number of open file descriptors.');
  const virtual = gaugeOnce(registry, 'process_virtual_memory_bytes', 'Virtual memory size in bytes.');
  const maxVirtual = gaugeOnce(
    registry,
    'process_virtual_memory_max_bytes',
    'Maximum amount of virtual memory available in bytes.',
  );
  const network = registerNetwork(registry);
  const stopCollecting = registry.onCollect(async () => {
    rss.set(process.memoryUsage.rss());
    if (process.platform !== 'linux') return;
    openFds.set((await readdir('/proc/self/fd')).length);
    const limits = await readFile('/proc/self/limits', 'utf8');
    maxFds.set(limitOf(limits, 'Max open files'));
    maxVirtual.set(limitOf(limits, 'Max address space'));
    // The second field of stat is the command in brackets and may contain spaces; vsize is the 21st field after it.
    const stat = await readFile('/proc/self/stat', 'utf8');
    virtual.set(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[20]));
    network.read(await readFile('/proc/self/net/netstat', 'utf8'));
  });
  return () => {
    stopCollecting();
    network.unregister();
  };
}

// Go's client reports this number for a limit that is `unlimited`.
const unlimited = 2 ** 64;

function limitOf(limits: string, name: string): number {
  const value = new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(limits)?.[1];
  return value === undefined || value === 'unlimited' ? unlimited : Number(value);
}

/** Bytes sent and received in the network namespace of the process. */
function registerNetwork(registry: MetricsRegistry): { read(netstat: string): void; unregister(): void } {
  const octets = { InOctets: 0, OutOctets: 0 };
  const register = (direction: string, verb: string, field: keyof typeof octets): (() => void) =>
    registry.computed({
      name: `process_network_${direction}_bytes_total`,
      help: `Number of bytes ${verb} by the process over the network.`,
      stability: 'none',
      type: 'counter',
      collect: () => [{ value: octets[field] }],
    });
  const registered = [register('receive', 'received', 'InOctets'), register('transmit', 'sent', 'OutOctets')];
  return {
    unregister: () => registered.forEach((unregister) => unregister()),
    // The file has pairs of lines: names, then values.
    read: (netstat) => {
      const [names = [], values = []] = [...netstat.matchAll(/^IpExt: (.*)$/gm)].map(([, line = '']) =>
        line.split(' '),
      );
      for (const field of ['InOctets', 'OutOctets'] as const) octets[field] = Number(values[names.indexOf(field)] ?? 0);
    },
  };
}

function gaugeOnce(registry: MetricsRegistry, name: string, help: string): ReturnType<MetricsRegistry['gauge']> {
  return registry.gauge({ name, help, stability: 'none' });
}
