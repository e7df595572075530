import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkpointChecksum } from '@podwright/checkpoint';
import type { Container, Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import type { MachineTopology } from '@podwright/machine';
import { describeMemoryManagerContract } from '@podwright/memory-manager-interface/contract';
import { createMetricsRegistry } from '@podwright/metrics';
import type { TopologyHint } from '@podwright/topology-manager-interface';
import type { NumaMemoryManager } from './numa-memory-manager.js';
import type { NumaMemoryManagerConfig } from './numa-memory-manager-config.js';
import { createNumaMemoryManager } from './numa-memory-manager.module.js';
import { memoryCheckpointFormats } from './state/memory-checkpoint.js';

const mi = 2 ** 20;
const machineOf = (nodes: number, pages = 0): MachineTopology => ({
  nodes: Array.from({ length: nodes }, (_, id) => ({
    id,
    memoryBytes: 1100 * mi + pages * 2 * mi,
    hugePages: pages === 0 ? [] : [{ sizeBytes: 2 * mi, pages }],
    cores: [],
  })),
  cpuCount: 0,
  socketCount: 1,
});
const reservedEach = (nodes: number): Partial<NumaMemoryManagerConfig> => ({
  reservedMemory: Array.from({ length: nodes }, (_, numaNode) => ({ numaNode, limits: { memory: '100Mi' } })),
  nodeReserved: { cpu: '1', memory: `${nodes * 100}Mi` },
});
const container = (name: string, memory: string, more: Record<string, string> = {}): Container => ({
  name,
  resources: { requests: { cpu: '1', memory, ...more }, limits: { cpu: '1', memory, ...more } },
});
const podOf = (name: string, containers: Container[], initContainers: Container[] = []): Pod => ({
  metadata: { name, namespace: 'n', uid: `uid-${name}` },
  spec: { containers, initContainers },
});

let rootDir: string;
let active: readonly Pod[];
let hint: TopologyHint;
let logger: ReturnType<typeof createMemoryLogger>;
const create = (
  machine = machineOf(2),
  options: Partial<NumaMemoryManagerConfig> = {},
  dir = rootDir,
): NumaMemoryManager =>
  createNumaMemoryManager(
    {
      activePods: { list: () => active },
      podConfig: { allSourcesReady: () => true },
      affinity: { affinityOf: () => hint },
      machine: { read: async () => machine },
      logger,
      metrics: createMetricsRegistry(),
    },
    { rootDir: dir, policy: 'Static', ...reservedEach(machine.nodes.length), ...options },
  );
async function started(
  machine?: MachineTopology,
  options?: Partial<NumaMemoryManagerConfig>,
): Promise<NumaMemoryManager> {
  const manager = create(machine, options);
  await manager.start();
  return manager;
}
async function admit(manager: NumaMemoryManager, pod: Pod): Promise<void> {
  active = [...active, pod];
  for (const one of [...(pod.spec.initContainers ?? []), ...pod.spec.containers]) await manager.allocate(pod, one);
}
interface Stored {
  readonly machineState: Record<string, { readonly numberOfAssignments: number; readonly cells: readonly number[] }>;
}
const stored = async (): Promise<Stored> =>
  JSON.parse(await readFile(path.join(rootDir, 'memory_manager_state'), 'utf8')) as Stored;

beforeEach(async () => {
  rootDir = await mkdtemp(path.join(tmpdir(), 'memory-manager-'));
  active = [];
  hint = { preferred: false };
  logger = createMemoryLogger(0);
});
afterEach(() => rm(rootDir, { recursive: true }));

describeMemoryManagerContract('NumaMemoryManager', async () => ({
  memory: create(),
  setActive: (pods) => void (active = pods),
}));

describe('checksums of the state file', () => {
  const memory = { total: 2048, systemReserved: 512, allocatable: 1536, reserved: 512, free: 1024 };
  const block = { numaAffinity: [0], type: 'memory', size: 512 };
  const content = {
    policyName: 'static',
    machineState: { 0: { numberOfAssignments: 0, memoryMap: { memory }, cells: [] } },
    entries: { pod: { container1: [block] } },
  };
  // Source: kubernetes v1.36 pkg/kubelet/cm/memorymanager/state/state_checkpoint_test.go.
  it.each([
    ['v1', content, memoryCheckpointFormats.v1, 4215593881],
    ['v2', { ...content, podEntries: { pod: { memoryBlocks: [block] } } }, memoryCheckpointFormats.v2, 1278640530],
  ])('%s', (_, value, format, checksum) => {
    expect(checkpointChecksum(value, format)).toBe(checksum);
  });
});

describe('policy Static', () => {
  it('says which nodes can serve, the fewest preferred', async () => {
    const manager = await started();
    const pod = podOf('p', [container('a', '600Mi')]);
    expect(manager.hintsOf(pod, pod.spec.containers[0] as Container)).toEqual({
      memory: [
        { numaNodes: [0], preferred: true },
        { numaNodes: [1], preferred: true },
        { numaNodes: [0, 1], preferred: false },
      ],
    });
    await admit(manager, pod);
    expect(manager.hintsOf(pod, pod.spec.containers[0] as Container)).toEqual({
      memory: [{ numaNodes: [0], preferred: true }],
    });
    const wide = podOf('w', [container('a', '1200Mi')]);
    // Node 0 serves alone by now, and so it goes into no group.
    expect(manager.hintsOf(wide, wide.spec.containers[0] as Container)).toEqual({});
  });

  it('takes the nodes of the hint, and more of them when they have not enough', async () => {
    const manager = await started();
    hint = { numaNodes: [1], preferred: false };
    await admit(manager, podOf('a', [container('one', '600Mi')]));
    expect(manager.numaNodesOf('uid-a', 'one')).toEqual([1]);
    active = [];
    await admit(manager, podOf('b', [container('one', '1200Mi')]));
    expect(manager.numaNodesOf('uid-b', 'one')).toEqual([0, 1]);
    const none = admit(manager, podOf('c', [container('one', '1200Mi')]));
    await expect(none).rejects.toThrow('[memorymanager] failed to find NUMA nodes to extend the current topology hint');
  });

  it('lets a preferred hint not become one that is not', async () => {
    const manager = await started();
    await admit(manager, podOf('a', [container('one', '900Mi')]));
    await admit(manager, podOf('b', [container('one', '900Mi')]));
    hint = { numaNodes: [0, 1], preferred: true };
    await expect(admit(manager, podOf('c', [container('one', '50Mi')]))).rejects.toThrow(
      '[memorymanager] preferred hint violates NUMA node allocation',
    );
  });

  it('uses the memory of init containers again, and frees what they held alone when a later one starts', async () => {
    const manager = await started();
    const pod = podOf('p', [container('app', '300Mi')], [container('init', '700Mi')]);
    expect(manager.hintsOfPod(pod)['memory']?.[0]).toEqual({ numaNodes: [0], preferred: true });
    await admit(manager, pod);
    const sizes = (): number[] => ['init', 'app'].map((name) => (manager.memoryOf('uid-p', name)[0]?.bytes ?? 0) / mi);
    expect(sizes()).toEqual([400, 300]);
    manager.addContainer(pod, pod.spec.initContainers?.[0] as Container);
    expect(sizes()).toEqual([400, 300]);
    manager.addContainer(pod, pod.spec.containers[0] as Container);
    expect(sizes()).toEqual([0, 300]);
    await manager.stop();
    expect((await stored()).machineState[0]).toMatchObject({
      numberOfAssignments: 1,
      cells: [0],
      memoryMap: { memory: { reserved: 300 * mi, free: 700 * mi } },
    });
  });

  it('counts huge pages apart, and not as memory', async () => {
    const manager = await started(machineOf(1, 50));
    expect(manager.allocatableMemory()).toEqual([
      { numaNodes: [0], type: 'hugepages-2Mi', bytes: 100 * mi },
      { numaNodes: [0], type: 'memory', bytes: 1000 * mi },
    ]);
    await admit(manager, podOf('p', [container('app', '100Mi', { 'hugepages-2Mi': '60Mi' })]));
    expect(
      manager
        .memoryOf('uid-p', 'app')
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['hugepages-2Mi', 'memory']);
    await expect(admit(manager, podOf('q', [container('app', '100Mi', { 'hugepages-2Mi': '60Mi' })]))).rejects.toThrow(
      'no NUMA nodes with enough memory',
    );
  });

  it('goes on over a restart, and stops at a state that does not add up', async () => {
    const first = await started();
    await admit(first, podOf('wide', [container('one', '1500Mi')]));
    const second = await started();
    expect(second.numaNodesOf('uid-wide', 'one')).toEqual([0, 1]);
    await expect(create(machineOf(3)).start()).rejects.toThrow(
      'start memory manager error: [memorymanager] the expected machine state is different from the real one',
    );
    expect(logger.messages('error')).toHaveLength(1);
    const file = path.join(rootDir, 'memory_manager_state');
    await expect(create(undefined, { policy: 'None' }).start()).rejects.toThrow(
      `start memory manager error: could not restore state from checkpoint: [memorymanager] configured policy "None" differs from state checkpoint policy "Static", please drain this node and delete the memory manager checkpoint file "${file}" before restarting Kubelet`,
    );
    await writeFile(file, '{}');
    await expect(create().start()).rejects.toThrow('could not restore state from checkpoint');
  });

  it('loses what a kubelet that was killed has left of a write', async () => {
    await writeFile(path.join(rootDir, '.memory_manager_state.1-1'), '{');
    await create().start();
    expect(await readdir(rootDir)).toEqual(['memory_manager_state']);
  });

  it.each([
    [
      '"total":1153433600',
      '"total":1153433601',
      'NUMA node 0: total of memory is stored as 1153433601, expected 1153433600',
    ],
    [
      '"numberOfAssignments":1',
      '"numberOfAssignments":3',
      'NUMA node 0: numberOfAssignments is stored as 3, expected 1',
    ],
    ['"cells":[0]', '"cells":[0,1]', 'NUMA node 0: cells is stored as [0,1], expected [0]'],
  ])('says where a state differs: %s', async (from, to, difference) => {
    await admit(await started(), podOf('p', [container('one', '100Mi')]));
    const file = path.join(rootDir, 'memory_manager_state');
    const text = (await readFile(file, 'utf8')).replace(/"checksum":\d+/, '"checksum":0');
    expect(text).toContain(from);
    await writeFile(file, text.replace(from, to));
    await expect(create().start()).rejects.toThrow('the expected machine state is different from the real one');
    expect(logger.entries.at(-1)?.fields).toMatchObject({ file, difference });
  });

  it('takes a state without a machine as a new one', async () => {
    const file = path.join(rootDir, 'memory_manager_state');
    await writeFile(file, '{"policyName":"Static","machineState":null,"entries":null,"checksum":0}');
    await started();
    expect(Object.keys((await stored()).machineState)).toEqual(['0', '1']);
  });

  it('gives a pod with resources of its own memory at once, with the gate', async () => {
    const amounts = { cpu: '2', memory: '500Mi' };
    const pod = podOf('p', [container('app', '300Mi'), { name: 'rest' }]);
    const podLevel: Pod = { ...pod, spec: { ...pod.spec, resources: { requests: amounts, limits: amounts } } };
    const manager = await started(undefined, { podLevelResourceManagers: true });
    active = [podLevel];
    await manager.allocatePod(podLevel);
    const sizes = ['app', 'rest'].map((name) => (manager.memoryOf('uid-p', name)[0]?.bytes ?? 0) / mi);
    expect(sizes).toEqual([300, 200]);
    expect((await stored()).machineState[0]).toMatchObject({ memoryMap: { memory: { reserved: 500 * mi } } });
    await manager.stop();
    const restarted = await started(undefined, { podLevelResourceManagers: true });
    expect(restarted.hintsOfPod(podLevel)).toEqual({ memory: [{ numaNodes: [0], preferred: true }] });
    await restarted.allocatePod(podLevel);
    expect((await stored()).machineState[0]).toMatchObject({ memoryMap: { memory: { reserved: 500 * mi } } });
    active = [];
    restarted.releaseInactive();
    await restarted.stop();
    expect((await stored()).machineState[0]).toMatchObject({
      numberOfAssignments: 0,
      memoryMap: { memory: { reserved: 0 } },
    });
  });
});

describe('a start that cannot be', () => {
  it.each<[string, Partial<NumaMemoryManagerConfig>, string]>([
    ['policy', { policy: 'All' }, 'unknown policy: "All"'],
    ['policy of Windows', { policy: 'BestEffort' }, 'policy "BestEffort" is not available for platform "linux"'],
    [
      'node',
      { reservedMemory: [{ numaNode: 2, limits: { memory: '200Mi' } }] },
      'the reserved memory configuration references a NUMA node 2 that does not exist on this machine',
    ],
    [
      'amount',
      { nodeReserved: { memory: '300Mi' } },
      'the total amount "200Mi" of type "memory" is not equal to the value "300Mi" determined by Node Allocatable feature',
    ],
    [
      'reservation of nothing',
      { reservedMemory: [], nodeReserved: {} },
      '[memorymanager] you should specify the system reserved memory',
    ],
  ])('names the %s', async (_, options, message) => {
    await expect(create(undefined, options).start()).rejects.toThrow(message);
  });

  it('policy None needs nothing of that', async () => {
    const manager = await started(undefined, { policy: 'None', reservedMemory: [] });
    expect([manager.allocatableMemory(), manager.numaNodesOf('a', 'b')]).toEqual([[], []]);
    expect(await readFile(path.join(rootDir, 'memory_manager_state'), 'utf8')).toMatch(
      /^{"policyName":"None","machineState":{},"checksum":\d+}$/,
    );
  });
});
