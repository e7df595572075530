import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EvictionDecision } from '@podwright/eviction-interface';
import { coreEvents, nodes, type KubeObject, type ResourceType } from '@podwright/kube-client-interface';
import type { Node, Pod, PodSpec } from '@podwright/kube-types';
import { labSupport } from '@podwright/lab';
import { ClusterNode, isTrue } from './cluster-node.js';
import { MemoryClusterServer } from './cluster-server.js';
import { expectNodeExplained, expectPodExplained } from './explained.js';
import { askApi } from './kubelet-api.js';
import { main, podManifest, script } from './pod-manifests.js';
import { SmallDisk } from './small-disk.js';
import { useLab } from './test-lab.js';

const mebibyte = 2 ** 20;
/** What ends with 0 has succeeded, evicted or not. */
const untilKilled = script('trap "exit 1" TERM; sleep 1000000 & wait');
interface PriorityClass extends KubeObject {
  readonly value: number;
}
const priorityClasses: ResourceType<PriorityClass> = {
  ...{ group: 'scheduling.k8s.io', version: 'v1', plural: 'priorityclasses', kind: 'PriorityClass', namespaced: false },
};
const support = labSupport();
const onLab = support.ok ? describe : describe.skip;

/** A pod with a volume on the node's disk, and what it asks for of it. */
const scratchPod = (name: string, spec: Partial<PodSpec> = {}, request?: string): ReturnType<typeof podManifest> =>
  podManifest(name, {
    volumes: [{ name: 'scratch', emptyDir: {} }],
    containers: [
      main({
        command: [...untilKilled],
        volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
        ...(request !== undefined && { resources: { requests: { 'ephemeral-storage': request } } }),
      }),
    ],
    ...spec,
  });

onLab(`a node that runs short${support.ok ? '' : ` (skipped: ${support.reason})`}`, () => {
  const bed = useLab();
  let server: MemoryClusterServer;
  let on: ClusterNode;

  const start = async (name: string, configuration: Readonly<Record<string, unknown>>): Promise<void> => {
    server = await MemoryClusterServer.start();
    on = await ClusterNode.start(bed(), server, name, {
      configuration: {
        evictionPressureTransitionPeriod: '10s',
        nodeStatusUpdateFrequency: '1s',
        volumeStatsAggPeriod: '1s',
        ...configuration,
      },
      assembly: [{ name: '@podwright/eviction', config: { monitoringPeriodMs: 2_000 } }],
    });
    for (const [className, value] of Object.entries({ low: -10, high: 100 })) {
      const kind = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass' };
      await on.admin.create(priorityClasses, { ...kind, metadata: { name: className }, value });
    }
    await on.ready();
  };
  const end = async (): Promise<void> => {
    await on?.stop();
    await bed().stopNodes();
    await server?.stop();
  };
  const decisions = async (): Promise<readonly EvictionDecision[]> =>
    (await askApi<{ decisions: readonly EvictionDecision[] }>(on.kubelet.kubelet, '/debug/evictions/')).decisions;
  const dryRun = (): Promise<EvictionDecision> => askApi(on.kubelet.kubelet, '/debug/evictions/dry-run');
  const usageOf = async (signal: string, name: string): Promise<number | undefined> => {
    const ranking = (await dryRun()).rankings.find((one) => one.signal === signal);
    return ranking?.pods.find((pod) => pod.name === name)?.usage;
  };
  /** Does not wait until all is written: who writes too much may be killed before. */
  const fill = async (name: string, mebibytes: number): Promise<void> => {
    const dd = `dd if=/dev/zero of=/scratch/fill bs=1048576 count=${mebibytes}`;
    await on.exec(name, 'sh', '-c', `${dd} >/dev/null 2>&1 &`);
  };
  const isEvicted = ({ status }: Pod): boolean => status?.phase === 'Failed' && status.reason === 'Evicted';
  const until = (what: string, test: (node: Node) => boolean): Promise<Node> =>
    on.kubelet.waitFor(what, async () => {
      const node = await on.admin.get(nodes, { name: on.name });
      return test(node) && node;
    });
  const hasTaint = ({ spec }: Node): boolean =>
    spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/disk-pressure') ?? false;

  describe('of disk', () => {
    let disk: SmallDisk;

    beforeAll(async () => {
      disk = await SmallDisk.create(path.join(bed().lab.dir, 'node-small-disk/root'), 64 * mebibyte);
      await start('small-disk', {
        evictionHard: { 'nodefs.available': '30Mi' },
        evictionMinimumReclaim: { 'nodefs.available': '10Mi' },
      });
    });
    afterAll(async () => {
      await end();
      await disk?.remove();
    });

    it('evicts by the rules, in their order, until the minimum is reclaimed, and says why beside each', async () => {
      await on.create(scratchPod('modest', { priorityClassName: 'low' }, '20Mi'));
      await on.create(scratchPod('small'));
      await on.create(scratchPod('plain'));
      await on.create(scratchPod('important', { priorityClassName: 'high' }));
      for (const name of ['modest', 'small', 'plain', 'important']) await on.untilReady(name);
      await fill('modest', 8);
      await fill('small', 3);
      await fill('plain', 6);
      await on.kubelet.waitFor('the usage of the pods is seen', async () => {
        const used = await Promise.all(['modest', 'small', 'plain'].map((name) => usageOf('nodefs.available', name)));
        return used.every((bytes, index) => (bytes ?? 0) >= [8, 3, 6][index]! * mebibyte);
      });
      const before = await dryRun();
      expect(before).toMatchObject({ conditions: [], evicted: [], reclaimed: [] });
      expect(await decisions()).toEqual([]);
      await fill('important', 12);

      const first = await on.until('plain', 'is evicted', isEvicted);
      expect(first.status?.message).toMatch(
        /^The node was low on resource: ephemeral-storage\. Threshold quantity: 30Mi, available: \d+Ki\. /,
      );
      const disruption = first.status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
      expect(disruption).toMatchObject({
        status: 'True',
        reason: 'TerminationByKubelet',
        message: first.status?.message,
      });
      const short = await until('the node tells its shortage', (node) => isTrue(node, 'DiskPressure'));
      expect(short.status?.conditions?.find(({ type }) => type === 'DiskPressure')).toMatchObject({
        reason: 'KubeletHasDiskPressure',
        message: 'kubelet has disk pressure',
      });
      await until('the node is tainted', hasTaint);
      await on.create(podManifest('late'));
      const refused = await on.until('late', 'is refused', isEvicted);
      expect(refused.status?.message).toBe('Pod was rejected: The node had condition: [DiskPressure]. ');
      await expectPodExplained(on.kubelet, 'late', 'refused-pressure');

      await on.until('important', 'is evicted', isEvicted);
      await until('the shortage is over', (node) => !isTrue(node, 'DiskPressure') && !hasTaint(node));
      const modest = await on.pod('modest');
      expect(modest?.status?.phase).toBe('Running');
      await expectPodExplained(on.kubelet, 'plain', 'evicted-pressure', { oneScreen: true });
      await expectNodeExplained(on.kubelet, 'ready', { page: 'node-evicted' });

      const made = [...(await decisions())].reverse();
      expect(made.map(({ evicted }) => evicted.map(({ name }) => name))).toEqual([['plain'], ['small'], ['important']]);
      for (const { rankings, evicted, signals, thresholds, reclaimFor } of made) {
        expect(reclaimFor).toBe('nodefs.available');
        expect(rankings[0]?.pods[0]?.name).toBe(evicted[0]?.name);
        expect(rankings[0]?.pods.at(-1)).toMatchObject({
          name: 'modest',
          request: 20 * mebibyte,
          exceedsRequest: false,
        });
        expect(signals.find(({ signal }) => signal === 'nodefs.available')?.available).toBeLessThan(40 * mebibyte);
        expect(thresholds.find(({ signal }) => signal === 'nodefs.available')).toMatchObject({ met: true });
      }
      const lines = (await readFile(on.kubelet.kubelet.logFile, 'utf8'))
        .split('\n')
        .filter((line) => line.includes('"Eviction manager: decision"'));
      expect(lines).toHaveLength(3);
      expect(lines[0]).toContain('default/plain usage=');
    });

    it('has told it in events', async () => {
      const evicted = await on.untilEvent('plain', 'Evicted', /^The node was low on resource: ephemeral-storage\. /);
      expect(evicted).toMatchObject({ type: 'Warning' });
      expect(evicted.metadata.annotations).toMatchObject({ starved_resource: 'ephemeral-storage' });
      const { items } = await on.admin.list(coreEvents, { fieldSelector: `involvedObject.name=${on.name}` });
      const met = items.find(({ reason }) => reason === 'EvictionThresholdMet');
      expect(met).toMatchObject({ type: 'Warning', message: 'Attempting to reclaim ephemeral-storage' });
      expect(await on.kubelet.kubelet.ask('/metrics')).toContain(
        'kubelet_evictions{eviction_signal="nodefs.available"} 3',
      );
    });

    it.each<[string, Partial<PodSpec>, string]>([
      [
        'a volume beyond its limit',
        { volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '2Mi' } }] },
        'Usage of EmptyDir volume "scratch" exceeds the limit "2Mi". ',
      ],
      [
        'a pod beyond the limits of its containers',
        {
          containers: [
            main({
              command: [...untilKilled],
              volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
              resources: { limits: { 'ephemeral-storage': '3Mi' } },
            }),
          ],
        },
        'Pod ephemeral local storage usage exceeds the total limit of containers 3Mi. ',
      ],
    ])('evicts %s', async (what, spec, message) => {
      const name = what.replaceAll(' ', '-');
      await on.create(scratchPod(name, spec));
      await on.untilReady(name);
      await fill(name, 4);
      const { status } = await on.until(name, 'is evicted', isEvicted);
      expect(status?.message).toBe(message);
      expect(status?.conditions?.some(({ type }) => type === 'DisruptionTarget')).toBe(false);
      await on.untilEnded(name);
      await expectPodExplained(on.kubelet, name, 'evicted-local-storage', { page: `evicted-${name}` });
      expect((await decisions())[0]?.evicted).toMatchObject([{ name, message, gracePeriodSeconds: 1 }]);
    });
  });

  describe('of memory for pods', () => {
    beforeAll(async () => {
      // Pods share 500 MiB: a shortage of theirs alone, whatever else runs on the machine.
      const total = Math.floor(totalmem() / 1024) * 1024 - 500 * mebibyte;
      await start('small-memory', {
        cgroupsPerQOS: true,
        enforceNodeAllocatable: ['pods'],
        systemReserved: { memory: String(total) },
        evictionHard: { 'memory.available': '100Mi' },
        // Longer than the case: the node is short of memory while it is explained, however long that takes.
        evictionPressureTransitionPeriod: '10m',
      });
    });
    afterAll(end);

    it('evicts who is above its request first, before the kernel has to', async () => {
      const inMemory = (name: string, memory?: string): Promise<Pod> =>
        on.create(
          podManifest(name, {
            volumes: [{ name: 'scratch', emptyDir: { medium: 'Memory' } }],
            containers: [
              main({
                command: [...untilKilled],
                volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
                ...(memory !== undefined && { resources: { requests: { memory } } }),
              }),
            ],
          }),
        );
      await inMemory('asking', '250Mi');
      await inMemory('greedy');
      for (const name of ['asking', 'greedy']) await on.untilReady(name);
      await fill('asking', 220);
      expect(await decisions()).toEqual([]);
      await fill('greedy', 205);
      const { status } = await on.until('greedy', 'is evicted', isEvicted);
      expect(status?.message).toMatch(
        /^The node was low on resource: memory\. Threshold quantity: 100Mi, available: \d+[KM]i\. Container main was using \d+[KM]i, request is 0, has larger consumption of memory\. $/,
      );
      const [decision] = await decisions();
      expect(decision).toMatchObject({ reclaimFor: 'allocatableMemory.available', reclaimed: [] });
      expect(decision?.rankings[0]?.pods.map(({ name, exceedsRequest }) => [name, exceedsRequest])).toEqual([
        ['greedy', true],
        ['asking', false],
      ]);
      await until('the node tells its shortage', (node) => isTrue(node, 'MemoryPressure'));
      await expectPodExplained(on.kubelet, 'greedy', 'evicted-pressure', { page: 'evicted-for-memory' });
      await expectNodeExplained(on.kubelet, 'memory-pressure');
      expect(await decisions()).toHaveLength(1);
      expect((await on.pod('asking'))?.status).toMatchObject({
        phase: 'Running',
        containerStatuses: [{ restartCount: 0 }],
      });
    });
  });
});
