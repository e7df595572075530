import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PodSandboxState } from '@podwright/cri-client-interface';
import { describeStatsProviderContract } from '@podwright/stats-interface/contract';
import { contractHarness } from './fixtures/contract-harness.js';
import { bytes, FakeNode, fakePod, layer, ns, sample, startMs } from './fixtures/fake-node.js';
import type { OnDemandStatsConfig } from './on-demand-stats-config.js';
import type { OnDemandStats } from './on-demand-stats.js';
import { createOnDemandStats } from './on-demand-stats.module.js';

let rootDir = '';
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), 'stats-'));
});
afterEach(async () => {
  await rm(rootDir, { recursive: true, force: true });
});

const options = (more: Partial<OnDemandStatsConfig> = {}): Partial<OnDemandStatsConfig> & { nodeName: string } => ({
  nodeName: 'node-1',
  rootDir,
  podLogsDir: join(rootDir, 'logs'),
  ...more,
});

for (const runtimeEndpoint of ['unix:///run/containerd/containerd.sock', 'unix:///var/run/crio/crio.sock']) {
  describeStatsProviderContract(`OnDemandStats at ${runtimeEndpoint}`, contractHarness(runtimeEndpoint));
}

describe('summaries', () => {
  const running: OnDemandStats[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((stats) => stats.stop()));
  });

  async function start(node: FakeNode, more: Partial<OnDemandStatsConfig> = {}): Promise<OnDemandStats> {
    const stats = createOnDemandStats(node.deps(), options(more));
    running.push(stats);
    await stats.start();
    return stats;
  }
  const mi = 2 ** 20;
  const at = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

  it('puts the numbers of cgroups over those of the runtime', async () => {
    const node = new FakeNode();
    const pressure = {
      full: { totalUs: 1, avg10: 2, avg60: 3, avg300: 4 },
      some: { totalUs: 5, avg10: 6, avg60: 7, avg300: 8 },
    };
    const psi = {
      full: { total: 1, avg10: 2, avg60: 3, avg300: 4 },
      some: { total: 5, avg10: 6, avg60: 7, avg300: 8 },
    };
    const web = node.run(fakePod('web'), {
      io: { pressure },
      limits: { memoryLimit: 20 * mi, memorySwapLimit: 2 * mi },
    });
    node.networks.set(`/kubepods/poduid-web/${web.sandbox.id}`, [
      {
        name: 'eth0',
        rxBytes: 1,
        rxPackets: 0,
        rxErrors: 2,
        rxDropped: 0,
        txBytes: 3,
        txPackets: 0,
        txErrors: 4,
        txDropped: 0,
      },
    ]);
    const [pod] = (await (await start(node)).summary()).pods;
    expect(node.sharedNetworks.get(`/kubepods/poduid-web/${web.sandbox.id}`)).toEqual([
      `/kubepods/poduid-web/${web.container.id}`,
    ]);
    const time = at(startMs - 500);
    const eth0 = { name: 'eth0', rxBytes: 1, rxErrors: 2, txBytes: 3, txErrors: 4 };
    const memory = {
      time,
      availableBytes: 12 * mi,
      usageBytes: 9 * mi,
      workingSetBytes: 8 * mi,
      rssBytes: 7 * mi,
      pageFaults: 11,
      majorPageFaults: 1,
    };
    const usage = {
      cpu: { time, usageNanoCores: 70, usageCoreNanoSeconds: 7e9 },
      memory,
      io: { time, psi },
      swap: { time, swapAvailableBytes: mi, swapUsageBytes: mi },
    };
    expect(pod).toMatchObject({
      startTime: at(startMs - 50_000),
      ...usage,
      network: { time, ...eth0, interfaces: [eth0] },
      process_stats: { process_count: 3 },
      containers: [
        { name: 'app', startTime: at(startMs - 40_000), ...usage, rootfs: { usedBytes: 40_000, inodesUsed: 4 } },
      ],
    });
    expect(Object.keys(pod ?? {})).toEqual([
      'podRef',
      'startTime',
      'containers',
      'cpu',
      'memory',
      'io',
      'network',
      'ephemeral-storage',
      'process_stats',
      'swap',
    ]);
  });

  it('takes the numbers of the runtime where there is no cgroup, and adds containers up', async () => {
    const node = new FakeNode();
    node.pods = [fakePod('web')];
    const stats = await start(node);
    const time = at(startMs - 1_000);
    const [pod] = (await stats.summary()).pods;
    const usage = {
      cpu: { time, usageCoreNanoSeconds: 5e9 },
      memory: { time, workingSetBytes: 6 * mi, rssBytes: 6 * mi - 1, pageFaults: 21 },
    };
    expect(pod).toMatchObject({ ...usage, containers: [{ ...usage, io: { time: at(startMs) } }] });
    // What no container reports is 0 in the sum.
    expect(pod?.containers[0]?.memory).not.toHaveProperty('availableBytes');
    expect(pod?.memory).toHaveProperty('availableBytes', 0);
    expect(pod?.containers[0]?.swap).toEqual({ time: at(startMs), swapUsageBytes: 0, swapAvailableBytes: 0 });
    expect([pod?.network, pod?.process_stats, pod?.cpu?.usageNanoCores]).toEqual([undefined, undefined, 0]);
    const [reduced] = (await stats.summary({ onlyCpuAndMemory: true })).pods;
    expect(reduced?.containers[0]?.memory).toMatchObject({ availableBytes: 0, workingSetBytes: 6 * mi });
  });

  it('knows nanocores from the second reading on, where the runtime does not tell', async () => {
    const node = new FakeNode();
    const pod = fakePod('web');
    node.pods = [pod];
    const stats = await start(node);
    const nanoCores = async (): Promise<number | undefined> =>
      (await stats.summary({ maxAgeMs: 0 })).pods[0]?.containers[0]?.cpu?.usageNanoCores;
    expect(await nanoCores()).toBeUndefined();
    const later = {
      timestamp: ns(startMs + 9_000),
      usageCoreNanoSeconds: bytes(6e9),
      usageNanoCores: undefined,
      psi: undefined,
    };
    node.pods = [{ ...pod, stats: { ...pod.stats, cpu: later } }];
    expect(await nanoCores()).toBe(100_000_000);
    expect(await nanoCores()).toBe(100_000_000);
    const reduced = await stats.summary({ onlyCpuAndMemory: true });
    expect(reduced.pods[0]?.cpu?.usageNanoCores).toBe(100_000_000);
  });

  it('tells of the file systems of the runtime alone, without reading any pod', async () => {
    const node = new FakeNode();
    const stats = await start(node);
    const { imageFs, containerFs } = await stats.imageFsStats();
    expect(imageFs).toMatchObject({ usedBytes: 40_000, capacityBytes: expect.any(Number) });
    expect(imageFs.availableBytes).toBeGreaterThan(0);
    expect(containerFs).toEqual(imageFs);
    expect(node.calls).toEqual(['imageFsInfo']);
    await stats.stop();
    await expect(stats.imageFsStats()).rejects.toThrow('stats are stopped');
  });

  it.each([
    ['imageFsInfo', 'failed to get imageFs stats: rpc error: code = Unavailable desc = away'],
    [
      'listContainers',
      'failed to list pod stats: failed to get pod or container map: failed to list all containers: rpc error: code = Unavailable desc = away',
    ],
  ])('fails in the words of %s when the runtime does not answer', async (call, words) => {
    const node = new FakeNode();
    const stats = await start(node);
    node.failing.add(call);
    await expect(stats.summary()).rejects.toThrow(words);
  });

  it('fails in the words of listPodSandboxStats with the feature gate', async () => {
    const node = new FakeNode();
    const stats = await start(node, { podAndContainerStatsFromCri: true });
    node.failing.add('listPodSandboxStats');
    await expect(stats.summary()).rejects.toThrow(
      'failed to list pod stats: rpc error: code = Unavailable desc = away',
    );
  });

  it('tells of the node as a whole', async () => {
    const node = new FakeNode();
    Object.assign(node.roots, { kubelet: '/kubelet', runtime: '/runtime', system: '' });
    node.cgroups.set('/kubelet', sample('/kubelet'));
    const stats = await start(node);
    const { node: found } = await stats.summary();
    expect(found).toMatchObject({
      startTime: at(startMs - 3_600_000),
      memory: { availableBytes: 92 * mi },
      swap: { swapAvailableBytes: 9 * mi, swapUsageBytes: mi },
      io: { time: at(startMs - 500) },
      fs: { time: at(startMs - 500) },
      runtime: { imageFs: { time: at(startMs - 2_000), usedBytes: 40_000, inodesUsed: 4 } },
    });
    expect(found.runtime?.containerFs).toEqual(found.runtime?.imageFs);
    expect(found.fs?.inodesUsed).toBe((found.fs?.inodes ?? 0) - (found.fs?.inodesFree ?? 0));
    // The one that is not there is left out, and so is the one without a name.
    expect(found.systemContainers?.map(({ name, startTime }) => [name, startTime])).toEqual([
      ['kubelet', at(startMs)],
      ['pods', at(startMs - 60_000)],
    ]);
    expect(found.systemContainers?.[1]?.memory?.availableBytes).toBe(72 * mi);
    expect(node.logger.entries.map(({ message }) => message)).toContain('Failed to get system container stats');
    const { node: reduced } = await stats.summary({ onlyCpuAndMemory: true });
    expect(reduced.startTime).toBe(at(startMs - 60_000));
    expect(Object.keys(reduced)).toEqual(['nodeName', 'systemContainers', 'startTime', 'cpu', 'memory', 'swap']);
  });

  it('has zeros for the pressure that the kernel does not report, unless the gate is off', async () => {
    const node = new FakeNode();
    const pressure = {
      full: { totalUs: 1, avg10: 0, avg60: 0, avg300: 0 },
      some: { totalUs: 2, avg10: 0, avg60: 0, avg300: 0 },
    };
    node.run(fakePod('web'), { io: { pressure } });
    // As on cgroup v1, whose short readings leave I/O out.
    Reflect.deleteProperty(node.cgroups.get('/') ?? {}, 'io');
    const line = { total: 0, avg10: 0, avg60: 0, avg300: 0 };
    const zeros = { full: line, some: line };
    const { node: found, pods } = await (await start(node)).summary();
    expect([found.cpu?.psi, found.memory?.psi, found.io?.psi]).toEqual([zeros, zeros, zeros]);
    expect(pods[0]?.cpu?.psi).toEqual(zeros);
    expect(pods[0]?.io?.psi).toEqual({ full: { ...line, total: 1 }, some: { ...line, total: 2 } });
    const { node: without } = await (await start(new FakeNode(), { pressure: false })).summary();
    expect([without.cpu?.psi, without.memory?.psi, without.io?.psi]).toEqual([undefined, undefined, undefined]);
  });

  it('adds logs, local volumes, layers, the hosts file and termination messages up to ephemeral storage', async () => {
    const node = new FakeNode();
    const volumesOfPod = [
      { name: 'scratch', emptyDir: {} },
      { name: 'memory', emptyDir: { medium: 'Memory' } },
    ];
    node.run(fakePod('web', 'uid-web', volumesOfPod));
    const logs = join(rootDir, 'logs/ns_web_uid-web');
    const volumes = join(rootDir, 'pods/uid-web/volumes');
    await mkdir(join(logs, 'app'), { recursive: true });
    await mkdir(join(volumes, 'scratch'), { recursive: true });
    await mkdir(join(volumes, 'memory'), { recursive: true });
    await writeFile(join(logs, 'app/0.log'), Buffer.alloc(8_192));
    await writeFile(join(logs, 'own'), 'x');
    await writeFile(join(rootDir, 'pods/uid-web/etc-hosts'), 'x');
    await mkdir(join(rootDir, 'pods/uid-web/containers/app'), { recursive: true });
    await writeFile(join(rootDir, 'pods/uid-web/containers/app/0a1b2c3d'), Buffer.alloc(16_384));
    await writeFile(join(volumes, 'scratch/file'), Buffer.alloc(40_960));
    await writeFile(join(volumes, 'memory/file'), Buffer.alloc(40_960));
    const mounted = (
      name: string,
    ): {
      name: string;
      hostPath: string;
      readOnly: boolean;
      managed: boolean;
      selinuxRelabel: boolean;
      usage: 'tree';
    } => ({
      name,
      hostPath: join(volumes, name),
      readOnly: false,
      managed: true,
      selinuxRelabel: true,
      usage: 'tree',
    });
    node.volumes.set('uid-web', [mounted('memory'), mounted('scratch')]);
    const [pod] = (await (await start(node)).summary()).pods;
    expect(pod?.volume?.map(({ name, usedBytes, inodesUsed }) => [name, usedBytes, inodesUsed])).toEqual([
      ['scratch', 45_056, 2],
      ['memory', 45_056, 2],
    ]);
    expect(pod?.containers[0]?.logs).toMatchObject({ usedBytes: 8_192, inodesUsed: 1 });
    expect(pod?.['ephemeral-storage']).toMatchObject({
      time: at(startMs),
      usedBytes: 40_000 + 8_192 + 45_056 + 4_096 + 4_096 + 16_384,
      inodesUsed: 4 + 1 + 2 + 1 + 1,
    });
  });

  it('takes all from the runtime with the feature gate, and falls back where it does not know the call', async () => {
    const node = new FakeNode();
    const web = node.run(fakePod('web'));
    const strict = await start(node, { podAndContainerStatsFromCri: true, runtimeEndpoint: '/run/crio/crio.sock' });
    expect((await strict.summary()).pods[0]?.cpu?.usageCoreNanoSeconds).toBe(7e9);
    const timestamp = ns(startMs);
    const eth0 = { name: 'eth0', rxBytes: bytes(1), rxErrors: undefined, txBytes: bytes(2), txErrors: undefined };
    node.sandboxStats = [
      {
        attributes: { id: web.sandbox.id, metadata: web.sandbox.metadata, labels: {}, annotations: {} },
        linux: {
          cpu: { timestamp, usageCoreNanoSeconds: bytes(9e9), usageNanoCores: bytes(9), psi: undefined },
          memory: web.stats.memory,
          network: { timestamp, defaultInterface: eth0, interfaces: [eth0] },
          process: { timestamp, processCount: bytes(12) },
          io: { timestamp, psi: undefined },
          containers: [{ ...web.stats, swap: { timestamp, swapAvailableBytes: bytes(1), swapUsageBytes: bytes(2) } }],
        },
        windows: undefined,
      },
    ];
    const [pod] = (await strict.summary({ maxAgeMs: 0 })).pods;
    expect(pod).toMatchObject({
      cpu: { usageCoreNanoSeconds: 9e9, usageNanoCores: 9 },
      memory: { workingSetBytes: 6 * mi },
      io: { time: at(startMs) },
      network: { name: 'eth0', rxBytes: 1, txBytes: 2, interfaces: [{ name: 'eth0' }] },
      process_stats: { process_count: 12 },
      containers: [{ cpu: { usageCoreNanoSeconds: 5e9 }, rootfs: { usedBytes: 40_000 }, swap: { swapUsageBytes: 2 } }],
    });
    expect(pod).not.toHaveProperty('swap');
    const [reduced] = (await strict.summary({ onlyCpuAndMemory: true, maxAgeMs: 0 })).pods;
    expect(reduced?.swap).toMatchObject({ swapAvailableBytes: 1, swapUsageBytes: 2 });
  });

  it('takes all from cgroups with CRI-O, and tells file systems of images and containers apart', async () => {
    const node = new FakeNode();
    const web = node.run(fakePod('web'));
    node.run(fakePod('young'));
    const waiting = node.run(fakePod('waiting'));
    const { memory, ...empty } = sample(`/kubepods/poduid-waiting/${waiting.sandbox.id}`);
    node.cgroups.delete(`/kubepods/poduid-waiting/${waiting.container.id}`);
    node.cgroups.set(empty.path, { ...empty, cpu: { usageNs: 0 }, ...(memory && { memory: { ...memory, rss: 0 } }) });
    for (const uid of ['uid-web', 'uid-waiting']) node.statuses.set(uid, { startTime: '2026-01-02T03:03:00Z' });
    node.containerFilesystems = [{ ...layer, fsId: { mountpoint: '/proc' } }];
    const stats = await start(node, { runtimeEndpoint: 'unix:///var/run/crio/crio.sock' });
    const { node: found, pods } = await stats.summary();
    expect(pods).toHaveLength(1);
    expect(node.sharedNetworks.get(`/kubepods/poduid-web/${web.sandbox.id}`)).toEqual([
      `/kubepods/poduid-web/${web.container.id}`,
    ]);
    expect(pods[0]).toMatchObject({
      startTime: '2026-01-02T03:03:00Z',
      containers: [
        {
          name: 'app',
          startTime: at(startMs - 60_000),
          cpu: { usageCoreNanoSeconds: 7e9 },
          rootfs: { usedBytes: 40_000 },
        },
      ],
      process_stats: { process_count: 6 },
    });
    expect(found.runtime?.containerFs?.capacityBytes).not.toBe(found.runtime?.imageFs?.capacityBytes);
    expect((await stats.summary({ onlyCpuAndMemory: true })).pods).toHaveLength(2);
    node.failing.add('imageFsInfo');
    await expect(stats.imageFsStats()).rejects.toThrow(
      'failed to get image stats: rpc error: code = Unavailable desc = away',
    );
    expect(await node.metrics.render()).toContain('kubelet_metrics_provider{provider="cadvisor"} 1');
  });

  it('shows one file system with the sizes of all images with CRI-O, while KubeletSeparateDiskGC is off', async () => {
    const node = new FakeNode();
    node.imageSizes = [1000n, 234n];
    node.containerFilesystems = [{ ...layer, fsId: { mountpoint: '/proc' } }];
    const stats = await start(node, { runtimeEndpoint: '/run/crio/crio.sock', separateDiskGc: false });
    const { runtime } = (await stats.summary()).node;
    expect(runtime?.imageFs).toMatchObject({ usedBytes: 1234, capacityBytes: expect.any(Number) });
    expect(runtime?.containerFs).toEqual(runtime?.imageFs);
  });

  it('shows the newest sandbox of a name once, or all that are ready', async () => {
    const node = new FakeNode();
    const old = node.run(fakePod('web', 'old'));
    node.run(fakePod('web', 'new'));
    old.sandbox.state = PodSandboxState.SANDBOX_NOTREADY;
    const stats = await start(node);
    const uids = async (): Promise<string[]> =>
      (await stats.summary({ onlyCpuAndMemory: true, maxAgeMs: 0 })).pods.map(({ podRef }) => podRef.uid);
    expect(await uids()).toEqual(['new']);
    old.sandbox.state = PodSandboxState.SANDBOX_READY;
    expect(await uids()).toEqual(['old', 'new']);
  });

  it('gives way to others after a few pods, of 200', async () => {
    const node = new FakeNode();
    let looks = 0;
    for (let index = 0; index < 200; index++) {
      const pod = fakePod(`pod-${index}`);
      const { cpu } = pod.stats;
      Object.defineProperty(pod.stats, 'cpu', { enumerable: true, get: () => (looks++, cpu) });
      node.run(pod);
    }
    const stats = await start(node);
    let [before, mostInATurn, watching] = [0, 0, true];
    const turn = (): void => {
      mostInATurn = Math.max(mostInATurn, looks - before);
      before = looks;
      if (watching) setImmediate(turn);
    };
    turn();
    expect((await stats.summary({ maxAgeMs: 0 })).pods).toHaveLength(200);
    expect((await stats.summary({ maxAgeMs: 0, onlyCpuAndMemory: true })).pods).toHaveLength(200);
    watching = false;
    turn();
    expect(looks).toBeGreaterThanOrEqual(400);
    expect(mostInATurn).toBeLessThan(looks / 8);
  });

  it('measures volumes each period where drivers tell of their health, and nobody asks', async () => {
    const node = new FakeNode();
    node.run(fakePod('web', 'uid-web', [{ name: 'data', persistentVolumeClaim: { claimName: 'claim' } }]));
    let measured = 0;
    const usage = { metricSource: 'd.example', measure: async () => ({ usedBytes: ++measured, abnormal: true }) };
    node.volumes.set('uid-web', [
      { name: 'data', hostPath: '/x', readOnly: false, managed: true, selinuxRelabel: false, usage },
    ]);
    await start(node, { volumeHealth: true });
    await node.clock.runUntil(() => measured > 2, 6 * 60_000);
    expect(measured).toBe(3);
  });

  it('shows sizes of logs and claims of the last summary among the metrics, and reads them beside a scrape', async () => {
    const node = new FakeNode();
    node.run(fakePod('web', 'uid-web', [{ name: 'data', persistentVolumeClaim: { claimName: 'claim' } }]));
    await mkdir(join(rootDir, 'logs/ns_web_uid-web/app'), { recursive: true });
    await writeFile(join(rootDir, 'logs/ns_web_uid-web/app/0.log'), 'x');
    const usage = { metricSource: 'd.example', measure: async () => ({ usedBytes: 12, abnormal: true }) };
    node.volumes.set('uid-web', [
      { name: 'data', hostPath: '/x', readOnly: false, managed: true, selinuxRelabel: false, usage },
    ]);
    const stats = await start(node);
    const lists = (): number => node.calls.filter((call) => call === 'listContainers').length;
    expect(await node.metrics.render()).not.toContain('kubelet_container_log_filesystem_used_bytes{');
    await stats.summary();
    expect(lists()).toBe(1);
    const shown = await node.metrics.render();
    await node.metrics.render();
    expect(lists()).toBe(1);
    expect(shown).toContain(
      'kubelet_container_log_filesystem_used_bytes{container="app",namespace="ns",pod="web",uid="uid-web"} 4096',
    );
    expect(shown).toContain('kubelet_volume_stats_used_bytes{namespace="ns",persistentvolumeclaim="claim"} 12');
    expect(shown).toContain(
      'kubelet_volume_stats_health_status_abnormal{namespace="ns",persistentvolumeclaim="claim"} 1',
    );
    expect(shown).toContain('kubelet_metrics_provider{provider="cadvisor"} 1');
    await node.clock.advance(60_000);
    await node.metrics.render();
    await stats.summary();
    expect(lists()).toBe(2);
  });
});
