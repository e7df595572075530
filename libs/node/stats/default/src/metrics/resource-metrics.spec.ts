import { describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import type { MetricsSource } from '@podwright/metrics';
import type { PodStats, Summary } from '@podwright/stats-interface';
import { createResourceMetrics } from './resource-metrics.js';

const time = '2026-01-02T03:04:05.678Z';
const stamp = Date.parse(time);

function pod(name: string, containers: PodStats['containers']): PodStats {
  return {
    podRef: { name, namespace: 'ns', uid: `uid-${name}` },
    startTime: time,
    containers,
    cpu: { time, usageCoreNanoSeconds: 2e9 },
    memory: { time, workingSetBytes: 2_000_000 },
    swap: { time, swapUsageBytes: 5 },
  };
}

const summary: Summary = {
  node: {
    nodeName: 'n',
    startTime: time,
    cpu: { time, usageCoreNanoSeconds: 1.5e9 },
    memory: { time, workingSetBytes: 1_000_000 },
    swap: { time, swapUsageBytes: 7 },
  },
  pods: [
    pod('b', [
      {
        name: 'app',
        startTime: time,
        cpu: { time, usageCoreNanoSeconds: 1e9 },
        memory: { time, workingSetBytes: 10 },
        swap: { time, swapAvailableBytes: 30, swapUsageBytes: 12 },
      },
      { name: 'silent', startTime: '1970-01-01T00:00:00.000Z', cpu: { time }, memory: { time }, swap: { time } },
    ]),
    pod('a', []),
  ],
};

async function text(source: MetricsSource): Promise<string> {
  const lines: string[] = [];
  for (const { name, help, type, points } of await source.gather()) {
    lines.push(`${name} ${type} ${help}`);
    for (const { labels, value, timestampMs } of points) {
      const shown = labels.map(([label, given]) => `${label}=${given}`).join();
      lines.push(`  ${shown} ${String(value)} ${timestampMs === undefined ? '' : timestampMs - stamp}`.trimEnd());
    }
  }
  return lines.join('\n');
}

const sourceOf = (read: () => Promise<Summary>, showHidden = false): MetricsSource =>
  createResourceMetrics({ summary: read, logger: createMemoryLogger(), showHidden });

describe('/metrics/resource', () => {
  it('shows every row of the table, in order, with the time of each reading', async () => {
    const app = 'container=app,namespace=ns,pod=b';
    expect(await text(sourceOf(async () => summary))).toBe(
      [
        'container_cpu_usage_seconds_total counter [STABLE] Cumulative cpu time consumed by the container in core-seconds',
        `  ${app} 1 0`,
        'container_memory_working_set_bytes gauge [STABLE] Current working set of the container in bytes',
        `  ${app} 10 0`,
        'container_start_time_seconds gauge [STABLE] Start time of the container since unix epoch in seconds',
        `  ${app} ${stamp / 1000}`,
        'container_swap_limit_bytes gauge [ALPHA] Current amount of the container swap limit in bytes. Reported only on non-windows systems',
        `  ${app} 42 0`,
        'container_swap_usage_bytes gauge [ALPHA] Current amount of the container swap usage in bytes. Reported only on non-windows systems',
        `  ${app} 12 0`,
        'node_cpu_usage_seconds_total counter [STABLE] Cumulative cpu time consumed by the node in core-seconds',
        '   1.5 0',
        'node_memory_working_set_bytes gauge [STABLE] Current working set of the node in bytes',
        '   1000000 0',
        'node_swap_usage_bytes gauge [ALPHA] Current swap usage of the node in bytes. Reported only on non-windows systems',
        '   7 0',
        'pod_cpu_usage_seconds_total counter [STABLE] Cumulative cpu time consumed by the pod in core-seconds',
        '  namespace=ns,pod=a 2 0',
        '  namespace=ns,pod=b 2 0',
        'pod_memory_working_set_bytes gauge [STABLE] Current working set of the pod in bytes',
        '  namespace=ns,pod=a 2000000 0',
        '  namespace=ns,pod=b 2000000 0',
        'pod_swap_usage_bytes gauge [ALPHA] Current amount of the pod swap usage in bytes. Reported only on non-windows systems',
        '  namespace=ns,pod=a 5 0',
        '  namespace=ns,pod=b 5 0',
        'resource_scrape_error gauge [STABLE] 1 if there was an error while getting container metrics, 0 otherwise',
        '   0',
      ].join('\n'),
    );
  });

  it('shows the error, and the deprecated metric when asked for', async () => {
    const failing = sourceOf(() => Promise.reject(new Error('no')), true);
    expect(await text(failing)).toBe(
      [
        'resource_scrape_error gauge [STABLE] 1 if there was an error while getting container metrics, 0 otherwise',
        '   1',
        'scrape_error gauge [ALPHA] (Deprecated since 1.29.0) 1 if there was an error while getting container metrics, 0 otherwise',
        '   1',
      ].join('\n'),
    );
  });

  it('shows a name that two sandboxes have once', async () => {
    const twice = sourceOf(async () => ({ ...summary, pods: [...summary.pods, ...summary.pods] }));
    expect(await text(twice)).toBe(await text(sourceOf(async () => summary)));
  });
});
