import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { METRICS } from '@podwright/assembly-interface';
import type { MetricDescription } from '@podwright/metrics';
import { METRICS_PAGES } from '@podwright/server-interface';
import { SimulatedCluster } from './simulated-cluster.js';
import { simulatedPod } from './simulated-pod.js';

interface Row extends Omit<MetricDescription, 'help'> {
  readonly page: string;
  readonly by?: string;
  readonly notSimulated?: true;
}

const sheet = path.resolve(__dirname, '../../../../../tools/reference/kubelet-metrics.json');
const facts = ({ name, type, stability, labels, buckets = [] }: Omit<MetricDescription, 'help'>): object => ({
  name,
  type,
  stability,
  labels: [...labels].sort(),
  buckets,
});
const own = (name: string): boolean => /^(podwright|process)_/.test(name);

describe('metrics of an assembled kubelet', () => {
  let sim: SimulatedCluster;
  afterEach(() => sim.dispose());

  it('are those of tools/reference/kubelet-metrics.json, as it says', async () => {
    const rows = JSON.parse(await readFile(sheet, 'utf8')) as readonly Row[];
    // Upstream registers some metrics only with their gates.
    const configuration = { featureGates: { PodCertificateRequest: true } };
    sim = await SimulatedCluster.create({ jitterless: true, configuration });
    await sim.node.boot();
    const registered = sim.node.part(METRICS).describe();
    // Those that the sheet says are there, which also says how they look.
    const expected = rows.filter(
      ({ by, page, notSimulated }) => by !== undefined && page === '/metrics' && !notSimulated,
    );
    const upstreams = registered.filter(
      ({ name }) => !own(name) && !rows.some((row) => row.name === name && row.notSimulated),
    );
    expect(upstreams.map(facts)).toEqual(expected.map(facts));
    for (const { name, help } of registered) expect({ name, help: help.length > 10 }).toEqual({ name, help: true });
  });

  it('of probes are as well', async () => {
    const rows = JSON.parse(await readFile(sheet, 'utf8')) as readonly Row[];
    sim = await SimulatedCluster.create({ jitterless: true });
    await sim.node.boot();
    sim.node.runtime.store.load('registry.test/main:1');
    const pod = simulatedPod('web', {
      containers: [
        {
          name: 'main',
          image: 'registry.test/main:1',
          imagePullPolicy: 'IfNotPresent',
          readinessProbe: { exec: { command: ['true'] } },
        },
      ],
    });
    await sim.bind('web', pod.spec);
    await sim.untilReady('web', 150_000);
    const page = sim.node.part(METRICS_PAGES).find(({ name }) => name === 'probes');
    const families = [...((await page?.source.gather()) ?? [])];
    const expected = rows.filter(({ page }) => page === '/metrics/probes');
    const shown = families.filter(({ name }) => name.startsWith('prober_'));
    expect(shown.map(({ name, type }) => [name, type])).toEqual(expected.map(({ name, type }) => [name, type]));
    for (const [index, { points }] of shown.entries()) {
      const [point] = [...points];
      expect(point?.labels.map(([name]) => name)).toEqual(expected[index]?.labels);
    }
  });
});
