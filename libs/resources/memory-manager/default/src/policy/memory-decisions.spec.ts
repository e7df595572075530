import { describe, expect, it } from '@jest/globals';
import type { Container, Pod, ResourceList } from '@podwright/kube-types';
import type { MemoryAmounts } from '../memory-amounts.js';
import { charge, giveBack, sameNodes, unusedMemory, type MachineMemory } from '../state/machine-memory.js';
import { bestHint, memoryHints, satisfies, violatesGroups } from './memory-hints.js';
import { checkPodPool, partitionPod } from './pod-partition.js';
import { containerMemory, podMemory } from './requested-memory.js';
import { ReusableMemory } from './reusable-memory.js';

const machineOf = (...nodes: readonly number[]): MachineMemory =>
  unusedMemory(
    {
      nodes: nodes.map((memoryBytes, id) => ({ id, memoryBytes, hugePages: [], cores: [] })),
      cpuCount: 0,
      socketCount: 1,
    },
    new Map(),
  );
const memory = (bytes: number): MemoryAmounts => new Map([['memory', bytes]]);
const used = (machine: MachineMemory): unknown =>
  [...machine.values()].map(({ numberOfAssignments, cells, memoryMap }) => [
    ...[numberOfAssignments, cells.join()],
    ...[memoryMap.get('memory')?.reserved, memoryMap.get('memory')?.free],
  ]);
const hint = (preferred: boolean, ...numaNodes: number[]) => ({ numaNodes, preferred });

describe('the memory of a machine', () => {
  it('is taken from the lowest nodes of a group first, and given back in the same order', () => {
    const machine = machineOf(100, 100, 100);
    charge(machine, [0, 2, 7], 'memory', 150);
    expect(used(machine)).toEqual([
      [1, '0,2,7', 100, 0],
      [0, '1', 0, 100],
      [1, '0,2,7', 50, 50],
    ]);
    charge(machine, [0, 2], 'other', 10);
    giveBack(machine, [0, 2, 7], 'memory', 120);
    expect(used(machine)).toEqual([
      [1, '0,2', 0, 100],
      [0, '1', 0, 100],
      [1, '0,2', 30, 70],
    ]);
    giveBack(machine, [0, 2], 'other', 10);
    expect(used(machine)).toEqual([
      [0, '0', 0, 100],
      [0, '1', 0, 100],
      [0, '2', 30, 70],
    ]);
  });

  it('of reserved and huge pages is not allocatable', () => {
    const nodes = [{ id: 0, memoryBytes: 100, hugePages: [{ sizeBytes: 2 ** 21, pages: 0 }], cores: [] }];
    const machine = unusedMemory({ nodes, cpuCount: 0, socketCount: 1 }, new Map([[0, memory(30)]]));
    const table = { reserved: 0, systemReserved: 0, total: 0, allocatable: 0, free: 0 };
    expect([...(machine.get(0)?.memoryMap ?? [])]).toEqual([
      ['hugepages-2Mi', table],
      ['memory', { ...table, total: 100, systemReserved: 30, allocatable: 70, free: 70 }],
    ]);
  });

  it('the order of nodes does not make another group', () => {
    expect([sameNodes([10, 2], [2, 10]), sameNodes([1], [1, 2]), sameNodes([1], [2])]).toEqual([true, false, false]);
  });
});

describe('groups of nodes', () => {
  const none = (): number => 0;

  it.each<[string, (machine: MachineMemory) => void, number, ReturnType<typeof hint>[]]>([
    ['all of one node', () => undefined, 100, [hint(true, 0), hint(true, 1), hint(false, 0, 1)]],
    ['more than one node', () => undefined, 101, [hint(true, 0, 1)]],
    ['more than there is', () => undefined, 201, []],
    ['one that serves alone', (machine) => charge(machine, [0], 'memory', 40), 60, [hint(true, 0), hint(true, 1)]],
    ['one that has too little left', (machine) => charge(machine, [0], 'memory', 40), 61, [hint(true, 1)]],
    ['a group', (machine) => charge(machine, [0, 1], 'memory', 40), 60, [hint(false, 0, 1)]],
  ])('for %s', (_, before, bytes, expected) => {
    const machine = machineOf(100, 100);
    before(machine);
    expect(memoryHints(machine, memory(bytes), none)).toEqual(expected);
  });

  it('count what ended init containers hold on exactly these nodes', () => {
    const machine = machineOf(100, 100);
    charge(machine, [0], 'memory', 90);
    charge(machine, [1], 'memory', 90);
    const reusable = (nodes: readonly number[], name: string): number => (name === 'memory' && nodes[0] === 1 ? 50 : 0);
    expect(memoryHints(machine, memory(60), reusable)).toEqual([hint(true, 1)]);
    expect(memoryHints(machine, memory(61), reusable)).toEqual([]);
    expect([satisfies(machine, [0, 1], memory(20)), satisfies(machine, [0, 1], memory(21))]).toEqual([true, false]);
  });

  it('are listed by node, in whatever order the machine has them', () => {
    const machine = machineOf(100, 100, 100);
    const turned: MachineMemory = new Map([...machine].reverse());
    expect(memoryHints(turned, memory(250), none)).toEqual([hint(true, 0, 1, 2)]);
    expect(memoryHints(turned, memory(1), none)[0]).toEqual(hint(true, 0));
  });

  it('are kept: a node that serves alone or in a group goes into no other', () => {
    const machine = machineOf(100, 100, 100, 100);
    charge(machine, [0], 'memory', 1);
    charge(machine, [1, 2], 'memory', 1);
    const violated = [[0], [1], [1, 2], [2, 1], [0, 3], [1, 3], [0, 1], [1, 2, 3], [3, 9]];
    expect(violated.map((nodes) => violatesGroups(machine, nodes))).toEqual([
      ...[false, false, false, false],
      ...[true, true, true, true],
      false,
    ]);
  });

  it.each<[ReturnType<typeof hint>[], ReturnType<typeof hint> | undefined]>([
    [[], undefined],
    [[hint(false, 0), hint(true, 1, 2)], hint(true, 1, 2)],
    [[hint(true, 1, 2), hint(false, 0)], hint(true, 1, 2)],
    [[hint(true, 0, 1), hint(true, 2)], hint(true, 2)],
    [[hint(true, 2), hint(true, 0, 1)], hint(true, 2)],
    [[hint(false, 0, 3), hint(false, 1, 2)], hint(false, 1, 2)],
    [[hint(false, 1, 2), hint(false, 0, 3)], hint(false, 1, 2)],
    [[hint(false, 1, 3), hint(false, 3, 0)], hint(false, 3, 0)],
    [[hint(false, 0, 10), hint(false, 2, 9)], hint(false, 2, 9)],
    [[hint(true, 1), hint(true, 0)], hint(true, 0)],
    [[hint(true, 0), hint(true, 1)], hint(true, 0)],
  ])('of %j the best is %j', (hints, best) => {
    expect(bestHint(hints)).toEqual(best);
  });

  it('of two equal ones the first is as good', () => {
    const [first, second] = [hint(true, 0, 1), hint(true, 0, 1)];
    expect(bestHint([first, second])).toBe(first);
  });
});

const list = (bytes: number): ResourceList => ({ cpu: '1', memory: String(bytes), 'example.com/x': '1' });
const container = (name: string, bytes?: number, more: Partial<Container> = {}): Container => ({
  name,
  ...(bytes !== undefined && { resources: { requests: list(bytes), limits: list(bytes) } }),
  ...more,
});
const always = { restartPolicy: 'Always' } as const;
const podOf = (containers: Container[], initContainers?: Container[], whole?: number): Pod => ({
  metadata: { name: 'p', namespace: 'n', uid: 'u' },
  spec: {
    containers,
    ...(initContainers && { initContainers }),
    ...(whole !== undefined && { resources: { requests: list(whole), limits: list(whole) } }),
  },
});
const amountsOf = (each: Container): MemoryAmounts =>
  each.resources === undefined ? new Map() : memory(Number(each.resources.requests?.['memory']));

describe('the memory that a pod asks for', () => {
  it.each<[string, Pod, boolean, object]>([
    ['sum of its containers', podOf([container('a', 10), container('b', 5)]), true, { memory: 15 }],
    ['nothing', podOf([container('a')]), true, {}],
    ['an init container that needs more', podOf([container('a', 10)], [container('i', 30)]), true, { memory: 30 }],
    ['one that needs less', podOf([container('a', 10)], [container('i', 5)]), true, { memory: 10 }],
    [
      'the highest of several',
      podOf([container('a', 10)], [container('i', 30), container('j', 20)]),
      true,
      { memory: 30 },
    ],
    [
      'sidecars beside all that comes later',
      podOf([container('a', 10)], [container('s', 4, always), container('t', 3, always), container('i', 6)]),
      true,
      { memory: 17 },
    ],
    [
      'an init container beside the sidecars before it',
      podOf([container('a', 1)], [container('s', 4, always), container('i', 6), container('t', 3, always)]),
      true,
      { memory: 10 },
    ],
    ['what only init containers ask for', podOf([container('a')], [container('i', 30)]), true, {}],
    ['the pod as a whole', podOf([container('a', 10)], [], 50), true, { memory: 50 }],
    ['the pod as a whole, nothing', podOf([container('a', 10)], [], 0), true, {}],
    ['its containers, without the gate', podOf([container('a', 10)], [], 50), false, { memory: 10 }],
  ])('%s', (_, pod, podLevelResourceManagers, expected) => {
    expect(Object.fromEntries(podMemory(pod, { podLevelResourceManagers }))).toEqual(expected);
  });

  it.each<[string, Pod, boolean, number | undefined]>([
    ['of an ordinary pod', podOf([container('a', 10)]), true, 10],
    ['that has a limit only', podOf([container('a', 10, { resources: { requests: list(10) } })]), true, 10],
    [
      'that shares the pod’s',
      podOf([container('a', 10, { resources: { requests: list(10) } })], [], 50),
      true,
      undefined,
    ],
    [
      'that shares nothing without the gate',
      podOf([container('a', 10, { resources: { requests: list(10) } })], [], 50),
      false,
      10,
    ],
    ['with its own part of the pod’s', podOf([container('a', 10)], [], 50), true, 10],
    ['without resources', podOf([container('a')]), true, undefined],
  ])('a container %s', (_, pod, podLevelResourceManagers, expected) => {
    const own = containerMemory(pod, pod.spec.containers[0] as Container, { podLevelResourceManagers });
    expect(own.get('memory')).toBe(expected);
    expect(own.size).toBe(expected === undefined ? 0 : 1);
  });
});

describe('the parts of a pod', () => {
  const parts = (pod: Pod, total: number): unknown =>
    partitionPod(pod, memory(total), amountsOf).map(({ container: name, amounts, type }) => [
      ...[name, amounts.get('memory'), type],
    ]);

  it('exclusive ones have their own, the others share what is left when they run', () => {
    const inits = [
      container('i'),
      container('s', 10, always),
      container('j'),
      container('k', 20),
      container('t', undefined, always),
    ];
    expect(parts(podOf([container('a', 30), container('b'), container('c', 15)], inits), 100)).toEqual([
      ['i', 100, 'pod_shared'],
      ['s', 10, 'pod_exclusive'],
      ['j', 90, 'pod_shared'],
      ['k', 20, 'pod_exclusive'],
      ['t', 45, 'pod_shared'],
      ['a', 30, 'pod_exclusive'],
      ['b', 45, 'pod_shared'],
      ['c', 15, 'pod_exclusive'],
    ]);
    expect(parts(podOf([container('a', 30), container('b')]), 20)).toEqual([
      ['a', 30, 'pod_exclusive'],
      ['b', 0, 'pod_shared'],
    ]);
  });

  const noneForInit = 'pod rejected, pod has shared init containers but no memory available for them';
  const noneLeft =
    'pod rejected, sum of exclusive container memory requests equals pod budget, leaving no memory for shared containers';
  it.each<[string, Pod, string | undefined]>([
    ['some is left', podOf([container('a', 99), container('b')]), undefined],
    ['nothing is left, and nobody shares', podOf([container('a', 60), container('b', 40)]), undefined],
    ['nothing is left', podOf([container('a', 60), container('b', 40), container('c')]), noneLeft],
    ['sidecars take all', podOf([container('c')], [container('s', 60, always), container('t', 40, always)]), noneLeft],
    ['nothing for a sidecar', podOf([container('a', 100)], [container('s', undefined, always)]), noneLeft],
    ['an init container gives back what it had', podOf([container('c')], [container('i', 100)]), undefined],
    [
      'nothing for an init container',
      podOf([container('a')], [container('s', 100, always), container('i')]),
      noneForInit,
    ],
    ['one that has its own', podOf([container('a', 1)], [container('s', 100, always), container('i', 5)]), undefined],
    ['one that comes before', podOf([container('a', 1)], [container('i'), container('s', 100, always)]), undefined],
  ])('%s', (_, pod, message) => {
    const check = (): void => checkPodPool(pod, memory(100), amountsOf);
    if (message === undefined) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        expect.objectContaining({ message, code: 'resource-exhausted', reason: 'EmptyPodSharedPoolError' }),
      );
  });
});

describe('memory of init containers that is used again', () => {
  const pod = podOf(
    [container('a'), container('b')],
    [container('i'), container('j'), container('s', undefined, always)],
  );
  const block = (bytes: number, ...numaNodes: number[]) => ({ numaNodes, type: 'memory', bytes });

  it('is the most that one of them has had, less what later containers keep', () => {
    const reusable = new ReusableMemory();
    const left = (): number => reusable.of('u', [0], 'memory');
    const after = (name: string, bytes: number): number => {
      reusable.update(pod, { name }, [block(bytes, 0)]);
      return left();
    };
    expect([after('i', 50), after('j', 30), after('i', 70)]).toEqual([50, 50, 70]);
    expect([after('s', 10), after('a', 25), after('b', 100)]).toEqual([60, 35, 0]);
  });

  it('is known by nodes and resource, of one pod only', () => {
    const reusable = new ReusableMemory();
    reusable.update(pod, { name: 'i' }, [block(50, 0), block(7, 0, 1), { ...block(3, 0), type: 'hugepages-2Mi' }]);
    expect([
      ...[reusable.of('u', [0], 'memory'), reusable.of('u', [0, 1], 'memory'), reusable.of('u', [0], 'hugepages-2Mi')],
      ...[reusable.of('u', [1], 'memory'), reusable.of('other', [0], 'memory')],
    ]).toEqual([50, 7, 3, 0, 0]);
    const other = { ...pod, metadata: { ...pod.metadata, uid: 'other' } };
    reusable.update(other, { name: 'i' }, [block(1, 0)]);
    expect([reusable.of('u', [0], 'memory'), reusable.of('other', [0], 'memory')]).toEqual([0, 1]);
  });
});
