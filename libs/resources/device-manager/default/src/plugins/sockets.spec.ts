import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { podWithDevices } from '@podwright/device-manager-interface/contract';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { TestDevicePlugin, type TestDevicePluginOptions } from '@podwright/test-device-plugin';
import { createSystemClock, eventually } from '@podwright/time';
import type { PluginDeviceManager } from '../plugin-device-manager.js';
import { createPluginDeviceManager } from '../plugin-device-manager.module.js';

const clock = createSystemClock();
const gpu = 'example.com/gpu';
const undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

interface Harness {
  readonly directory: string;
  readonly manager: PluginDeviceManager;
  readonly metrics: ReturnType<typeof createMetricsRegistry>;
  readonly plugin: (options?: Partial<TestDevicePluginOptions>) => TestDevicePlugin;
  /** Of what the node has of the resource. */
  readonly allocatable: () => string | undefined;
}

async function harness({
  before = async () => undefined,
  dialTimeoutMs = 20_000,
  secondDirectory = '',
}: {
  readonly before?: (directory: string) => Promise<void>;
  readonly dialTimeoutMs?: number;
  readonly secondDirectory?: string;
} = {}): Promise<Harness> {
  const directory = path.join(await mkdtemp(path.join(tmpdir(), 'devices-')), 'device-plugins');
  undo.push(() => rm(path.dirname(directory), { recursive: true, force: true }));
  await before(directory);
  const metrics = createMetricsRegistry();
  const active: Pod[] = [podWithDevices('p', { main: { [gpu]: '1' } })];
  const manager = createPluginDeviceManager(
    {
      ...{ clock, metrics, logger: createMemoryLogger() },
      activePods: { list: () => active },
      podConfig: { allSourcesReady: () => true },
      runtime: {
        listPodSandbox: () => Promise.reject(new Error('the runtime is away')),
        listContainers: () => Promise.reject(new Error('the runtime is away')),
      },
    },
    { directory, dialTimeoutMs, secondDirectory },
  );
  undo.push(() => manager.stop());
  await manager.start();
  return {
    ...{ directory, manager, metrics },
    plugin: (options = {}) => {
      const plugin = new TestDevicePlugin({ resourceName: gpu, devices: [{ id: 'a' }, { id: 'b' }], ...options });
      undo.push(() => plugin.stop());
      return plugin;
    },
    allocatable: () => manager.resources().allocatable[gpu],
  };
}

describe('a plugin on its socket', () => {
  it('registers, lists, allocates, and is seen to go', async () => {
    const { plugin, directory, manager, metrics, allocatable } = await harness();
    const sensors = plugin({ allocate: (given) => ({ envs: { IDS: given.join() }, annotations: { k: 'v' } }) });
    await sensors.attach(directory);
    await eventually(() => allocatable() === '2');
    const pod = podWithDevices('p', { main: { [gpu]: '1' } });
    await manager.allocate(pod, pod.spec.containers[0]!);
    expect(await manager.runOptionsOf(pod, pod.spec.containers[0]!)).toMatchObject({
      envs: [{ name: 'IDS', value: 'a' }],
      annotations: { k: 'v' },
    });
    sensors.setDevices([{ id: 'a', health: 'Unhealthy', numaNodes: [3] }]);
    await eventually(() => allocatable() === '0');
    await sensors.stop();
    await eventually(() => manager.allocatableDevices().length === 0);
    expect(manager.resources().capacity).toEqual({ [gpu]: '1' });
    const page = await metrics.render();
    expect(page).toContain('kubelet_device_plugin_registration_total{resource_name="example.com/gpu"} 1');
    expect(page).toContain('kubelet_device_plugin_alloc_duration_seconds_count{resource_name="example.com/gpu"} 1');
  });

  it('registers again when it was restarted, and when the kubelet was', async () => {
    const { plugin, directory, manager, allocatable } = await harness();
    const first = plugin();
    await first.attach(directory);
    await eventually(() => allocatable() === '2');
    await first.stop({ keepSocket: true });
    await eventually(() => allocatable() === '0');
    const second = plugin({ devices: [{ id: 'c' }] });
    await second.attach(directory);
    await eventually(() => allocatable() === '1');
    await manager.stop();
    const again = createPluginDeviceManager(
      {
        ...{ clock, metrics: createMetricsRegistry(), logger: createMemoryLogger() },
        activePods: { list: () => [] },
        podConfig: { allSourcesReady: () => true },
        runtime: { listPodSandbox: async () => ({ items: [] }), listContainers: async () => ({ containers: [] }) },
      },
      { directory },
    );
    undo.push(() => again.stop());
    await again.start();
    await eventually(() => again.resources().allocatable[gpu] === '1');
    // The plugin hears that it is taken a moment later.
    await eventually(() => second.registrations === 2);
  });

  it('also registers in a second directory, unless another kubelet serves it', async () => {
    const second = await mkdtemp(path.join(tmpdir(), 'devices-too-'));
    undo.push(() => rm(second, { recursive: true, force: true }));
    const first = await harness({ secondDirectory: second });
    const later = await harness({ secondDirectory: second });
    await first.plugin().attach(second);
    await eventually(() => first.allocatable() === '2');
    expect(later.allocatable()).toBeUndefined();
  });

  it('does not make the second directory', async () => {
    const second = path.join(tmpdir(), `devices-${process.pid}-none`);
    await harness({ secondDirectory: second });
    await expect(stat(second)).rejects.toThrow('ENOENT');
  });

  it.each<[string, Partial<TestDevicePluginOptions>, object, string, number]>([
    [
      'of another version',
      {},
      { version: 'v1' },
      'requested API version "v1" is not supported by kubelet. Supported version is ["v1beta1"]',
      20_000,
    ],
    ['of a native resource', { resourceName: 'cpu' }, {}, 'the ResourceName "cpu" is invalid', 20_000],
    [
      'that is not where it says',
      {},
      { endpoint: 'nowhere.sock' },
      'failed to dial device plugin: context deadline exceeded',
      300,
    ],
  ])('%s is refused', async (_case, options, request, text, dialTimeoutMs) => {
    const { plugin, directory, manager } = await harness({ dialTimeoutMs });
    const refused = plugin({ endpoint: 'p.sock', ...options });
    await refused.listen(directory);
    await expect(refused.register(directory, request)).rejects.toMatchObject({ details: text });
    expect(manager.resources().capacity).toEqual({});
  });
});

describe('the folder', () => {
  it('is made, and rid of old sockets alone', async () => {
    const { directory } = await harness({
      before: async (folder) => {
        await mkdir(path.join(folder, 'subfolder'), { recursive: true });
        await writeFile(path.join(folder, 'file'), '');
        const old = new TestDevicePlugin({ resourceName: gpu, endpoint: 'old.sock' });
        await old.listen(folder);
        undo.push(() => old.stop());
      },
    });
    expect((await readdir(directory)).sort()).toEqual(['file', 'kubelet.sock', 'subfolder']);
    const fresh = await harness();
    expect((await stat(fresh.directory)).mode & 0o777).toBe(0o750);
  });
});

describe('a folder that another kubelet serves', () => {
  it('keeps its sockets and its plugins, and the second kubelet does not start', async () => {
    const { directory, plugin, allocatable } = await harness();
    await plugin({ endpoint: 'p.sock' }).attach(directory);
    await eventually(() => allocatable() === '2');
    const second = createPluginDeviceManager(
      {
        ...{ clock, metrics: createMetricsRegistry(), logger: createMemoryLogger() },
        activePods: { list: () => [] },
        podConfig: { allSourcesReady: () => true },
        runtime: { listPodSandbox: async () => ({ items: [] }), listContainers: async () => ({ containers: [] }) },
      },
      { directory },
    );
    undo.push(() => second.stop());
    await expect(second.start()).rejects.toThrow('another kubelet serves it: stop that kubelet');
    const sockets = (await readdir(directory)).filter((name) => name.endsWith('.sock'));
    expect(sockets.sort()).toEqual(['kubelet.sock', 'p.sock']);
  });
});

describe('a hostile plugin', () => {
  it('with 100 000 devices is taken, one with a list that is too long is gone', async () => {
    const { plugin, directory, allocatable } = await harness();
    const many = Array.from({ length: 100_000 }, (_, index) => ({ id: `device-${index}` }));
    const greedy = plugin({ devices: many });
    await greedy.attach(directory);
    await eventually(() => allocatable() === '100000');
    greedy.setDevices(many.map(({ id }) => ({ id: id + 'x'.repeat(50) })));
    await eventually(() => allocatable() === '0');
  });

  it('that lists a device twice, ends its stream, or hangs is no trouble', async () => {
    const { plugin, directory, manager, allocatable } = await harness();
    const odd = plugin({ devices: [{ id: 'a' }, { id: 'a', health: 'Unhealthy' }, { id: 'b' }] });
    await odd.attach(directory);
    await eventually(() => allocatable() === '1');
    expect(manager.resources().capacity).toEqual({ [gpu]: '2' });
    odd.endStreams();
    await eventually(() => allocatable() === '0');
    const pod = podWithDevices('p', { main: { [gpu]: '1' } });
    await expect(manager.allocate(pod, pod.spec.containers[0]!)).rejects.toThrow('no healthy devices present');
  });

  it('whose first list fails has its resource without devices, and is not asked again until it registers', async () => {
    const { plugin, directory, manager, allocatable } = await harness();
    let broken = true;
    const shy = plugin({
      beforeList: () => {
        if (broken) throw new Error('no device answers');
      },
    });
    await shy.listen(directory);
    await shy.register(directory);
    await eventually(() => allocatable() !== undefined);
    expect(manager.resources()).toEqual({ capacity: { [gpu]: '0' }, allocatable: { [gpu]: '0' }, removed: [] });
    expect(shy.listings).toBe(1);
    broken = false;
    await shy.register(directory);
    await eventually(() => allocatable() === '2');
    expect(shy.listings).toBe(2);
  });

  it('whose error is what a pod shows', async () => {
    const { plugin, directory, manager, allocatable } = await harness();
    const refusing = plugin({
      allocate: () => {
        throw new Error('burnt');
      },
    });
    await refusing.attach(directory);
    await eventually(() => allocatable() === '2');
    const pod = podWithDevices('p', { main: { [gpu]: '1' } });
    await expect(manager.allocate(pod, pod.spec.containers[0]!)).rejects.toThrow(
      'rpc error: code = Unknown desc = burnt',
    );
  });
});
