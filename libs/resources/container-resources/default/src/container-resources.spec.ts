import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CpuManager } from '@podwright/cpu-manager-interface';
import type { DeviceManager, DeviceRunOptions } from '@podwright/device-manager-interface';
import { KubeletError } from '@podwright/errors';
import type { Container, Pod } from '@podwright/kube-types';
import type { MemoryManager } from '@podwright/memory-manager-interface';
import type { HintProvider, TopologyManager } from '@podwright/topology-manager-interface';
import type { ContainerResources } from './container-resources.js';
import { createContainerResources } from './container-resources.module.js';

const app: Container = { name: 'app' };
const pod: Pod = { metadata: { name: 'p', namespace: 'n', uid: 'uid' }, spec: { containers: [app] } };
const options: DeviceRunOptions = {
  envs: [],
  mounts: [],
  devices: [],
  annotations: {},
  cdiDevices: ['vendor/class=1'],
};

let told: string[];
let providers: HintProvider[];
let refusal: Error | undefined;
let cpus: readonly number[] | undefined;
let numaNodes: readonly number[];

function create(): ContainerResources {
  const manager = (name: string) => ({
    name,
    addContainer: (_: Pod, __: Container, id: string) => void told.push(`${name} add ${id}`),
    releaseInactive: () => void told.push(`${name} release`),
  });
  const topology: Partial<TopologyManager> = {
    ...manager('topology'),
    addHintProvider: (provider) => {
      providers.push(provider);
      return () => void providers.splice(providers.indexOf(provider), 1);
    },
    admit: async () => {
      if (refusal !== undefined) throw refusal;
    },
    removeContainer: (id) => void told.push(`topology remove ${id}`),
  };
  const blocks = [{ numaNodes: [0, 1], type: 'memory', bytes: 5 }];
  return createContainerResources({
    topology: topology as TopologyManager,
    devices: {
      ...manager('devices'),
      runOptionsOf: async () => options,
      devicesOf: () => [{ resourceName: 'vendor.com/gpu', deviceIds: ['1'] }],
      allocatableDevices: () => [],
    } as Partial<DeviceManager> as DeviceManager,
    cpus: {
      ...manager('cpus'),
      cpusOf: () => cpus,
      exclusiveCpusOf: () => [4, 5],
      allocatableCpus: () => [1, 4, 5],
    } as Partial<CpuManager> as CpuManager,
    memory: {
      ...manager('memory'),
      numaNodesOf: () => numaNodes,
      memoryOf: () => blocks,
      allocatableMemory: () => blocks,
    } as Partial<MemoryManager> as MemoryManager,
  });
}

beforeEach(() => {
  [told, providers, refusal, cpus, numaNodes] = [[], [], undefined, undefined, []];
});

describe('ContainerResources', () => {
  it('lets the topology manager ask devices, CPUs and memory until it stops, and admission ask it', async () => {
    const resources = create();
    await resources.start();
    expect(providers.map(({ name }) => name)).toEqual(['devices', 'cpus', 'memory']);
    expect(resources.admissionCheck().stage).toBe('topology');
    expect(await resources.admissionCheck().check(pod, [], 'add')).toBeUndefined();
    await resources.stop();
    await resources.stop();
    expect(providers).toEqual([]);
  });

  it('hands a refusal on with its reason; what has none is for admission to name', async () => {
    const { check } = create().admissionCheck();
    refusal = new KubeletError('no room', { code: 'resource-exhausted', reason: 'TopologyAffinityError' });
    expect(await check(pod, [], 'add')).toEqual({
      admit: false,
      reason: 'TopologyAffinityError',
      message: 'no room',
    });
    refusal = new Error('broken');
    await expect(check(pod, [], 'add')).rejects.toThrow('broken');
  });

  it('puts CPUs as ranges and NUMA nodes as a plain list into what the runtime is told', async () => {
    const resources = create();
    const config = { linux: { resources: { cpuShares: 2n } } };
    expect(await resources.preCreateContainer(pod, app, config)).toBe(config);
    [cpus, numaNodes] = [
      [0, 1, 2, 5],
      [0, 1, 3],
    ];
    expect(await resources.preCreateContainer(pod, app, config)).toEqual({
      linux: { resources: { cpuShares: 2n, cpusetCpus: '0-2,5', cpusetMems: '0,1,3' } },
    });
  });

  it('tells of containers that start and end', async () => {
    const resources = create();
    await resources.preStartContainer(pod, app, 'id');
    await resources.postStopContainer('id');
    expect(told).toEqual(['cpus add id', 'memory add id', 'topology add id', 'topology remove id']);
  });

  it('shows what was given out, and asks for what devices want', async () => {
    const resources = create();
    expect(await resources.runOptionsOf(pod, app)).toBe(options);
    expect(resources.of(pod, app)).toEqual({
      devices: [{ resourceName: 'vendor.com/gpu', deviceIds: ['1'] }],
      cpuIds: [4, 5],
      memory: [{ memoryType: 'memory', bytes: 5, numaNodes: [0, 1] }],
      claims: [],
    });
    expect(resources.allocatable()).toMatchObject({ devices: [], cpuIds: [1, 4, 5] });
    resources.releaseInactive();
    expect(told).toEqual(['devices release']);
  });

  it('puts the devices of claims before those of plugins, also without plugins', async () => {
    const claimed = { claimName: 'c', claimNamespace: 'n', devices: [] };
    const claims = { cdiDevicesOf: () => ['driver/class=2'], claimsOf: () => [claimed] };
    const topology = { addHintProvider: () => () => undefined } as Partial<TopologyManager> as TopologyManager;
    const devices = { runOptionsOf: async () => options } as Partial<DeviceManager> as DeviceManager;
    const cdiDevices = ['driver/class=2', 'vendor/class=1'];
    const both = createContainerResources({ topology, devices, claims });
    expect(await both.runOptionsOf(pod, app)).toEqual({ ...options, cdiDevices });
    const alone = createContainerResources({ topology, claims });
    expect(await alone.runOptionsOf(pod, app)).toEqual({ ...options, cdiDevices: ['driver/class=2'] });
    expect(alone.of(pod, app).claims).toEqual([claimed]);
    const unprepared = (): never => {
      throw new Error('not prepared');
    };
    const waiting = createContainerResources({ topology, claims: { ...claims, cdiDevicesOf: unprepared } });
    await expect(waiting.runOptionsOf(pod, app)).rejects.toThrow('not prepared');
  });

  it('does without managers', async () => {
    const resources = createContainerResources({
      topology: { addHintProvider: () => () => undefined } as Partial<TopologyManager> as TopologyManager,
    });
    await resources.start();
    expect(await resources.runOptionsOf(pod, app)).toBeUndefined();
    expect(resources.of(pod, app)).toEqual({ devices: [], cpuIds: [], memory: [], claims: [] });
    expect(resources.allocatable()).toEqual({ devices: [], cpuIds: [], memory: [] });
    await resources.stop();
  });
});
