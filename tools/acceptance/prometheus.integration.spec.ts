import { execFile } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { findPrometheus, labSupport, type PrometheusPrograms } from '@podwright/lab';
import { main, podManifest } from './pod-manifests.js';
import { PrometheusServer, type ScrapeJob } from './prometheus-server.js';
import { useLab } from './test-lab.js';
import type { TestNode } from './test-node.js';
import { waitFor } from './wait-for.js';

jest.setTimeout(240_000);

const pages = ['/metrics', '/metrics/cadvisor', '/metrics/resource', '/metrics/probes'];
const protocols = ['PrometheusText0.0.4', 'OpenMetricsText1.0.0', 'PrometheusProto'] as const;
const scrapes = 3;

/** What promtool finds fault with in upstream's names and labels, which dashboards know as they are. It forbids nobody to read them. */
const knownLint: ReadonlySet<string> = new Set([
  `kubelet_pleg_discard_events counter metrics should have "_total" suffix`,
  ...['kubelet_evented_pleg_connection_error_count', 'kubelet_evented_pleg_connection_success_count'].flatMap(
    (name) => [
      `${name} counter metrics should have "_total" suffix`,
      `${name} non-histogram and non-summary metrics should not have "_count" suffix`,
    ],
  ),
  `kubelet_cpu_manager_exclusive_cpu_allocation_count non-histogram and non-summary metrics should not have "_count" suffix`,
  `kubelet_topology_manager_admission_duration_ms metric names should not contain abbreviated units`,
  `container_memory_failcnt counter metrics should have "_total" suffix`,
  `container_cpu_load_d_average_10s metric names should not contain abbreviated units`,
  `container_fs_inodes_total non-counter metrics should not have "_total" suffix`,
  // kernelVersion, osVersion, dockerVersion, cadvisorVersion, cadvisorRevision
  `cadvisor_version_info label names should be written in 'snake_case' not 'camelCase'`,
]);

let programs: PrometheusPrograms;
const support = labSupport();

(support.ok ? describe : describe.skip)('Prometheus', () => {
  const lab = useLab();
  let node: TestNode;
  let base: string;

  beforeAll(async () => {
    programs = await findPrometheus(() => undefined);
    const probe = { exec: { command: ['true'] }, periodSeconds: 1 };
    node = await lab().startNode('scraped');
    await node.add(podManifest('web', { containers: [main({ readinessProbe: probe })] }));
    await node.waitForPod('web', 'is ready', ({ status }) => status?.containerStatuses?.[0]?.ready === true);
    base = node.kubelet.readOnlyAddress;
  }, 240_000);
  afterAll(() => lab().stopNodes());

  it.each(pages)('finds %s well formed', async (page) => {
    const { code, output } = await checkMetrics(programs.promtool, await node.kubelet.ask(page));
    const problems = output.split('\n').filter((line) => line !== '');
    expect(problems.filter((line) => !knownLint.has(line))).toEqual([]);
    // 3: lint, 1: the page cannot be read.
    expect([0, 3]).toContain(code);
  });

  it('scrapes all pages in all formats without a word', async () => {
    const jobs = pages.flatMap((page) =>
      protocols.map((protocol): ScrapeJob => ({ name: `${page} ${protocol}`, target: base, path: page, protocol })),
    );
    const names = jobs.map(({ name }) => name).sort();
    const server = await PrometheusServer.start(programs.prometheus, path.join(node.dir, 'prometheus'), jobs);
    try {
      const ups = `min_over_time(up[2m]) == 1 and count_over_time(up[2m]) >= ${scrapes}`;
      const up = await waitFor(
        'all targets are up',
        async () => {
          const found = Object.keys(await server.query(ups)).sort();
          return found.length === jobs.length && found;
        },
        { withinMs: 150_000, everyMs: 500 },
      ).catch(async (error: unknown) => {
        throw new Error(
          JSON.stringify((await server.targets()).map(({ labels, lastError }) => [labels.job, lastError])),
          {
            cause: error,
          },
        );
      });
      expect(up).toEqual(names);
      expect((await server.targets()).filter(({ health, lastError }) => health !== 'up' || lastError !== '')).toEqual(
        [],
      );
      const lost = await server.query('scrape_samples_scraped - scrape_samples_post_metric_relabeling');
      expect(Object.entries(lost).filter(([, count]) => count !== 0)).toEqual([]);
      const samples = await server.query('scrape_samples_scraped');
      expect(Object.keys(samples).sort()).toEqual(names);
      for (const page of pages) {
        const counts = protocols.map((protocol) => samples[`${page} ${protocol}`] ?? 0);
        expect(Math.min(...counts)).toBeGreaterThan(0);
        // Series come and go between scrapes, formats lose none.
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThan(Math.max(...counts) / 10);
      }
      // The same counter reads the same in all formats.
      const started = await server.query('kubelet_started_pods_total');
      expect(Object.values(started)).toEqual(protocols.map(() => 1));
      expect(server.complaints()).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});

interface Checked {
  readonly code: number;
  readonly output: string;
}

function checkMetrics(promtool: string, page: string): Promise<Checked> {
  return new Promise((resolve) => {
    const child = execFile(promtool, ['check', 'metrics'], { timeout: 90_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, output: `${stdout}${stderr}` });
    });
    child.stdin?.end(page);
  });
}
