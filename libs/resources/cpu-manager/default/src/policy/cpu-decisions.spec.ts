import { describe, expect, it } from '@jest/globals';
import { parseCpuList } from '@podwright/kubelet-configuration';
import type { Container, Pod } from '@podwright/kube-types';
import { formatCpuList } from '@podwright/machine';
import { createMetricsRegistry } from '@podwright/metrics';
import { CpuManagerMetrics } from '../cpu-manager-metrics.js';
import { dualSocket as upstreams, fourNodes } from '../fixtures/topologies.js';
import { guaranteedCpus, isLeftOut, podGuaranteedCpus } from '../guaranteed-cpus.js';
import { CpuState } from '../state/cpu-state.js';
import { checkState } from './check-state.js';
import { alignedCpus, cpuHints } from './cpu-hints.js';
import { checkPodPool, partitionPod } from './pod-partition.js';
import { reservedCpus } from './reserved-cpus.js';
import { ReusableCpus } from './reusable-cpus.js';
import { checkSmtAlignment } from './smt-alignment.js';
import {
  checkAlignBySocket,
  noStaticPolicyOptions,
  staticPolicyOptions,
  type StaticPolicyOptions,
} from './static-policy-options.js';
import { StaticPolicy } from './static-policy.js';

// Upstream's leaves the number of nodes at 0.
const dualSocket = { ...upstreams, numaNodeCount: 2 };
const container = (name: string, cpu?: string, more: Partial<Container> = {}): Container => ({
  name,
  ...(cpu !== undefined && { resources: { requests: { cpu, memory: '1' }, limits: { cpu, memory: '1' } } }),
  ...more,
});
const always = { restartPolicy: 'Always' } as const;
const podOf = (containers: Container[], initContainers?: Container[], whole?: string): Pod => ({
  metadata: { name: 'p', namespace: 'n', uid: 'u' },
  spec: {
    containers,
    ...(initContainers && { initContainers }),
    ...(whole !== undefined && {
      resources: { requests: { cpu: whole, memory: '9' }, limits: { cpu: whole, memory: '9' } },
    }),
  },
});
const countOf = ({ resources }: Container): number => Number(resources?.requests?.['cpu'] ?? 0);

describe('the parts of a pod', () => {
  it('exclusive ones have their own, the others share what is left when they run', () => {
    const inits = [
      ...[container('i'), container('s', '2', always), container('j'), container('k', '3')],
      container('t', undefined, always),
    ];
    const pod = podOf([container('a', '1'), container('b'), container('c', '2')], inits);
    const parts = partitionPod(pod, parseCpuList('0-9'), countOf, (available, count) => available.slice(0, count));
    expect(parts.map(({ container: name, cpus, type }) => `${name} ${formatCpuList(cpus)} ${type}`)).toEqual([
      'i 0-9 pod_shared',
      's 0-1 pod_exclusive',
      'j 2-9 pod_shared',
      'k 2-4 pod_exclusive',
      't 5-9 pod_shared',
      'a 2 pod_exclusive',
      'b 5-9 pod_shared',
      'c 3-4 pod_exclusive',
    ]);
  });

  const noneForInit = 'pod rejected, pod has shared init containers but no cpus available for them';
  const noneLeft =
    'pod rejected, sum of exclusive container cpu requests equals pod budget, leaving no cpus for shared containers';
  it.each<[string, Pod, string | undefined]>([
    ['some are left', podOf([container('a', '9'), container('b')]), undefined],
    ['nothing is left, and nobody shares', podOf([container('a', '6'), container('b', '4')]), undefined],
    ['nothing is left', podOf([container('a', '6'), container('b', '4'), container('c')]), noneLeft],
    [
      'sidecars take all',
      podOf([container('c')], [container('s', '6', always), container('t', '4', always)]),
      noneLeft,
    ],
    ['nothing for a sidecar', podOf([container('a', '10')], [container('s', undefined, always)]), noneLeft],
    ['an init container gives back what it had', podOf([container('c')], [container('i', '10')]), undefined],
    [
      'nothing for an init container',
      podOf([container('a')], [container('s', '10', always), container('i')]),
      noneForInit,
    ],
    [
      'one that has its own',
      podOf([container('a', '1')], [container('s', '10', always), container('i', '1')]),
      undefined,
    ],
    ['one that comes before', podOf([container('a', '1')], [container('i'), container('s', '10', always)]), undefined],
  ])('%s', (_, pod, message) => {
    const check = (): void => checkPodPool(pod, 10, countOf);
    if (message === undefined) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        expect.objectContaining({ message, code: 'resource-exhausted', reason: 'EmptyPodSharedPoolError' }),
      );
  });
});

describe('CPUs of init containers that are used again', () => {
  const pod = podOf([container('a')], [container('i'), container('j'), container('s', undefined, always)]);

  it('are those of all of them, less what later containers keep, of one pod', () => {
    const reusable = new ReusableCpus();
    const after = (name: string, cpus: string): string => {
      reusable.update(pod, { name }, parseCpuList(cpus));
      return formatCpuList(reusable.of('u'));
    };
    expect([after('i', '0-3'), after('j', '4'), after('s', '0'), after('a', '1-2')]).toEqual([
      '0-3',
      '0-4',
      '1-4',
      '3-4',
    ]);
    expect(reusable.of('other')).toEqual([]);
    const other = { ...pod, metadata: { uid: 'other' } };
    reusable.update(other, { name: 'i' }, [9]);
    expect([reusable.of('u'), reusable.of('other')]).toEqual([[], [9]]);
  });
});

describe('nodes for CPUs', () => {
  // Sockets and nodes: 0,2,4,6,8,10 and 1,3,5,7,9,11.
  const hints = (available: string, count: number, reusable = '', alignBySocket = false): string[] =>
    cpuHints(
      dualSocket,
      { available: parseCpuList(available), reusable: parseCpuList(reusable), count },
      alignBySocket,
    ).map(({ numaNodes, preferred }) => `${numaNodes?.join()} ${preferred}`);

  it.each<[string, number, string, string[]]>([
    ['0-11', 6, '', ['0 true', '1 true', '0,1 false']],
    ['0-11', 7, '', ['0,1 true']],
    ['0-11', 13, '', []],
    ['0-3', 2, '', ['0 true', '1 true', '0,1 false']],
    ['0-3', 3, '', ['0,1 false']],
    ['0-3', 3, '4', ['0 true', '0,1 false']],
    ['0-3', 3, '4-5', ['0,1 false']],
  ])('of %s that serve %i, with %s again', (available, count, reusable, expected) => {
    expect(hints(available, count, reusable)).toEqual(expected);
  });

  it('of one socket are preferred with align-by-socket', () => {
    expect(hints('0-11', 6, '', true)).toEqual(['0 true', '1 true', '0,1 false']);
    expect(formatCpuList(alignedCpus(dualSocket, [1], false))).toBe('1,3,5,7,9,11');
    expect(formatCpuList(alignedCpus(dualSocket, [0], true))).toBe('0,2,4,6,8,10');
    const oneSocket = {
      ...dualSocket,
      socketCount: 1,
      places: new Map([...dualSocket.places].map(([cpu, place]) => [cpu, { ...place, socket: 0 }] as const)),
    };
    const all = { available: parseCpuList('0-11'), reusable: [], count: 6 };
    expect(cpuHints(oneSocket, all, true).map(({ preferred }) => preferred)).toEqual([true, true, true]);
    expect(cpuHints(oneSocket, all, false).map(({ preferred }) => preferred)).toEqual([true, true, false]);
    // Two nodes in each socket.
    const preferred = (count: number, alignBySocket: boolean): string[] =>
      cpuHints(fourNodes, { available: fourNodes.cpus, reusable: [], count }, alignBySocket)
        .filter((hint) => hint.preferred)
        .map(({ numaNodes }) => numaNodes?.join('') ?? '');
    expect(preferred(10, false)).toEqual(['0', '1', '2', '3']);
    expect(preferred(10, true)).toEqual(['0', '1', '2', '3', '01', '23']);
    expect(preferred(50, false)).toEqual(['012', '013', '023', '123']);
    expect(preferred(50, true)).toEqual(['012', '013', '023', '123', '0123']);
    expect(formatCpuList(alignedCpus(fourNodes, [1], false))).toBe('10-19,50-59');
    expect(formatCpuList(alignedCpus(fourNodes, [1], true))).toBe('0-19,40-59');
    const manySockets = { ...dualSocket, socketCount: 3 };
    expect(cpuHints(manySockets, all, true).map(({ preferred }) => preferred)).toEqual([true, true, false]);
    expect(formatCpuList(alignedCpus(oneSocket, [0], true))).toBe('0-11');
  });
});

describe('exclusive CPUs', () => {
  const gates = { podLevelResourceManagers: true };
  it.each<[string, Pod, number, number]>([
    ['whole ones of a container', podOf([container('a', '2')]), 2, 2],
    ['no parts', podOf([container('a', '1500m')]), 0, 0],
    ['none without a limit', podOf([container('a', '2', { resources: { requests: { cpu: '2' } } })]), 0, 0],
    ['the sum', podOf([container('a', '2'), container('b', '3')]), 2, 5],
    ['of init containers the most', podOf([container('a', '2')], [container('i', '4'), container('j', '3')]), 2, 4],
    [
      'sidecars beside what comes later',
      podOf([container('a', '2')], [container('s', '1', always), container('i', '4'), container('t', '2', always)]),
      2,
      5,
    ],
    [
      'sidecars beside the containers',
      podOf([container('a', '4')], [container('s', '1', always), container('i', '1')]),
      4,
      5,
    ],
    ['the pod as a whole', podOf([container('a', '2')], [], '5'), 2, 5],
    ['the pod as a whole, in parts', podOf([container('a', '2')], [], '5500m'), 2, 0],
    ['none for who shares', podOf([container('a', '2', { resources: { requests: { cpu: '2' } } })], [], '5'), 0, 5],
    [
      'none in a pod that is not Guaranteed',
      { ...podOf([container('a')]), spec: { containers: [container('a')], resources: { requests: { cpu: '5' } } } },
      0,
      0,
    ],
  ])('%s', (_, pod, own, whole) => {
    expect(guaranteedCpus(pod, pod.spec.containers[0] as Container, gates)).toBe(own);
    expect(podGuaranteedCpus(pod, gates)).toBe(whole);
  });

  it('without the gate the resources of a pod make that it is left out', () => {
    const [plain, whole] = [podOf([container('a', '2')]), podOf([container('a', '2')], [], '5')];
    const without = { podLevelResourceManagers: false };
    expect([isLeftOut(plain, without), isLeftOut(whole, without), isLeftOut(whole, gates)]).toEqual([
      false,
      true,
      false,
    ]);
    expect(podGuaranteedCpus(whole, without)).toBe(2);
  });
});

describe('rules of the policy', () => {
  const invalid = (message: string) =>
    expect.objectContaining({ code: 'invalid-argument', message }) as unknown as Error;

  it.each([
    [4, 2, 4, undefined],
    [0, 2, 0, undefined],
    [3, 2, 4, 'requested 3 cpus not multiple cpus per core = 2'],
    [6, 2, 5, 'not enough free physical CPUs: available physical CPUs = 5, requested CPUs = 6, CPUs per core = 2'],
  ])('%i CPUs at %i a core, %i free', (requested, perCore, free, fault) => {
    const check = (): void => checkSmtAlignment(requested, perCore, free);
    if (fault === undefined) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        expect.objectContaining({
          message: `SMT Alignment Error: ${fault}`,
          ...{ code: 'resource-exhausted', reason: 'SMTAlignmentError' },
        }),
      );
  });

  it('each option sets what it says, and some exclude each other', () => {
    const gates = { alphaOptions: true, betaOptions: true };
    const options = {
      'full-pcpus-only': 'fullPhysicalCpusOnly',
      'strict-cpu-reservation': 'strictReservation',
      'prefer-align-cpus-by-uncorecache': 'alignByUncoreCache',
      'distribute-cpus-across-numa': 'distributeAcrossNuma',
      'align-by-socket': 'alignBySocket',
      'distribute-cpus-across-cores': 'distributeAcrossCores',
    } as const;
    for (const [name, key] of Object.entries(options)) {
      expect(staticPolicyOptions({ [name]: 'true' }, gates)).toEqual({ ...noStaticPolicyOptions, [key]: true });
      expect(staticPolicyOptions({ [name]: 'false' }, gates)).toEqual(noStaticPolicyOptions);
    }
    const names = Object.keys(options);
    const excluded = names.flatMap((a, at) =>
      names.slice(at + 1).flatMap((b) => {
        try {
          staticPolicyOptions({ [a]: 'true', [b]: 'true' }, gates);
          return [];
        } catch (error) {
          return [(error as Error).message];
        }
      }),
    );
    expect(excluded).toEqual(
      [
        ['full-pcpus-only', 'distribute-cpus-across-cores'],
        ['prefer-align-cpus-by-uncorecache', 'distribute-cpus-across-numa'],
        ['prefer-align-cpus-by-uncorecache', 'distribute-cpus-across-cores'],
        ['distribute-cpus-across-numa', 'distribute-cpus-across-cores'],
      ].map(([a, b]) => `static policy options ${a} and ${b} can not be used at the same time`),
    );
    const off = { alphaOptions: false, betaOptions: false };
    const needs = (name: string): string => {
      try {
        staticPolicyOptions({ [name]: 'true' }, off);
        return 'nothing';
      } catch (error) {
        return (error as Error).message;
      }
    };
    const gated = (stage: string, name: string): string =>
      `CPU Manager Policy ${stage}-level Options not enabled, but option "${name}" provided`;
    expect(names.map(needs)).toEqual([
      ...['nothing', 'nothing', 'nothing', gated('Beta', 'distribute-cpus-across-numa')],
      ...[gated('Alpha', 'align-by-socket'), gated('Alpha', 'distribute-cpus-across-cores')],
    ]);
    expect(() => staticPolicyOptions({ constructor: 'true' }, gates)).toThrow(
      invalid('unknown CPU Manager Policy option: "constructor"'),
    );
  });

  it('align-by-socket needs a machine with no more sockets than nodes', () => {
    const on = { ...noStaticPolicyOptions, alignBySocket: true };
    const small = { ...dualSocket, socketCount: 3 };
    expect(() => checkAlignBySocket(on, dualSocket, 'restricted')).not.toThrow();
    expect(() => checkAlignBySocket(noStaticPolicyOptions, small, 'single-numa-node')).not.toThrow();
    expect(() => checkAlignBySocket(on, small, 'restricted')).toThrow(
      invalid('Align by socket is not compatible with hardware where number of sockets are more than number of NUMA'),
    );
  });

  it('a reservation of parts is rounded up, and takes whole cores with it', () => {
    const reserve = (milli: number): unknown =>
      reservedCpus(dualSocket, noStaticPolicyOptions, { cpus: [], milli }).cpus;
    expect([reserve(1), reserve(1_000), reserve(1_001), reserve(12_000)]).toMatchObject([
      { length: 1 },
      { length: 1 },
      { length: 2 },
      { length: 12 },
    ]);
    expect(() => reserve(12_001)).toThrow('did not equal 13');
    expect(reservedCpus(dualSocket, noStaticPolicyOptions, { cpus: [3], milli: 5_000 })).toEqual({
      cpus: [3],
      physical: [3, 9],
    });
  });

  it.each<[boolean, string, string, string | undefined]>([
    [false, '0-11', '', undefined],
    [true, '1-11', '', undefined],
    [false, '0-9', '10-11', undefined],
    [true, '0-11', '', 'some of strictly reserved cpus: "0" are present in defaultCpuSet: "0-11"'],
    [false, '1-11', '', 'not all reserved cpus: "0" are present in defaultCpuSet: "1-11"'],
    [false, '0-9', '11', 'current set of available CPUs "0-11" doesn\'t match with CPUs in state "0-9,11"'],
  ])('a state (strict %s) with %s shared and %s assigned', (strict, shared, assigned, message) => {
    const state = new CpuState();
    state.setShared(parseCpuList(shared));
    if (assigned !== '') state.set('u', 'a', parseCpuList(assigned));
    const check = (): void => checkState(state, { all: parseCpuList('0-11'), reserved: [0], strict });
    if (message === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ message, code: 'failed-precondition' }));
  });
});

describe('the static policy', () => {
  // CPUs 0 and 6 are one core; 0 is reserved.
  const reserved = { cpus: [0], physical: [0, 6] };
  function policyOn(
    state: CpuState,
    options: Partial<StaticPolicyOptions> = {},
    podLevel = true,
    numaNodes?: number[],
    onAsked: (container: string) => void = () => undefined,
  ) {
    const registry = createMetricsRegistry();
    const deps = {
      ...{ topology: dualSocket, reserved, state, metrics: new CpuManagerMetrics(registry, podLevel) },
      affinity: {
        affinityOf: (_uid: string, name: string) => {
          onAsked(name);
          return { preferred: true, ...(numaNodes !== undefined && { numaNodes }) };
        },
      },
    };
    const policy = new StaticPolicy(
      deps,
      { ...noStaticPolicyOptions, ...options },
      { podLevelResourceManagers: podLevel },
    );
    const count = async (start: string): Promise<string[]> =>
      (await registry.render())
        .split('\n')
        .filter((line) => line.startsWith(start))
        .map((line) => line.slice(start.length))
        .sort();
    return { policy, count };
  }
  const give = (policy: StaticPolicy, pod: Pod, ...names: string[]): void => {
    for (const one of [...(pod.spec.initContainers ?? []), ...pod.spec.containers])
      if (names.includes(one.name)) policy.allocate(pod, one);
  };
  const first = (pod: Pod): Container => pod.spec.containers[0] as Container;

  it('has hints for what a container holds already, and none when its request has changed', () => {
    const state = new CpuState();
    const { policy } = policyOn(state, {}, true, [1]);
    expect(formatCpuList(policy.allocatable)).toBe('1-11');
    const pod = podOf([container('a', '2')]);
    give(policy, pod, 'a');
    expect(state.of('u', 'a')).toEqual([1, 7]);
    const own = {
      cpu: [
        { numaNodes: [1], preferred: true },
        { numaNodes: [0, 1], preferred: false },
      ],
    };
    expect([policy.hintsOf(pod, first(pod)), policy.hintsOfPod(pod)]).toEqual([own, own]);
    for (const changed of [podOf([container('a', '3')]), podOf([container('a', '1')])])
      expect([policy.hintsOf(changed, first(changed)), policy.hintsOfPod(changed)]).toEqual([{ cpu: [] }, { cpu: [] }]);
    const shares = podOf([container('a', '1500m')]);
    expect([policy.hintsOf(shares, first(shares)), policy.hintsOfPod(shares)]).toEqual([{}, {}]);
  });

  it('has hints for a pod that include what some of its containers hold already', () => {
    const { policy } = policyOn(new CpuState(), {}, true, [1]);
    const pod = podOf([container('a', '2'), container('b', '3')]);
    give(policy, pod, 'a');
    expect(policy.hintsOfPod(pod)).toEqual({
      cpu: [
        { numaNodes: [1], preferred: true },
        { numaNodes: [0, 1], preferred: false },
      ],
    });
  });

  it('has hints for a pod whose other containers share, and gives a pod that only shares nothing', () => {
    const state = new CpuState();
    const { policy } = policyOn(state);
    const both = podOf([container('a', '2'), container('b', '1500m')]);
    expect(policy.hintsOfPod(both)).toMatchObject({ cpu: [{ numaNodes: [0] }, { numaNodes: [1] }, {}] });
    policy.allocatePod(podOf([container('a', '1500m')]));
    expect([state.ofPod('u'), state.assigned()]).toEqual([undefined, []]);
  });

  it('gives a pod as a whole the CPUs of the nodes that its first container was promised', () => {
    const asked: string[] = [];
    const state = new CpuState();
    const { policy } = policyOn(state, {}, true, [1], (container) => void asked.push(container));
    policy.allocatePod(podOf([container('a', '2'), container('b')], [container('i')], '4'));
    expect([asked, state.ofPod('u')]).toEqual([['i'], [1, 3, 7, 9]]);
  });

  it('ignores pods with resources of their own without the gate', () => {
    const { policy } = policyOn(new CpuState(), {}, false);
    const pod = podOf([container('a', '2')], [], '5');
    give(policy, pod, 'a');
    expect([policy.hintsOf(pod, first(pod)), policy.hintsOfPod(pod)]).toEqual([{}, {}]);
  });

  it('uses CPUs of init containers again, also those that an earlier kubelet gave', () => {
    const state = new CpuState();
    const pod = podOf([container('a', '10')], [container('i', '10')]);
    const before = policyOn(state).policy;
    expect(before.hintsOfPod(pod)).toEqual({ cpu: [{ numaNodes: [0, 1], preferred: true }] });
    give(before, pod, 'i');
    expect(before.hintsOf(pod, first(pod))).toEqual({ cpu: [{ numaNodes: [0, 1], preferred: true }] });
    const { policy } = policyOn(state);
    expect(policy.hintsOf(pod, first(pod))).toEqual({ cpu: [] });
    give(policy, pod, 'i', 'a');
    expect(state.of('u', 'a')).toHaveLength(10);
    // What a container has taken over stays away from the pool until it is given back.
    policy.release('u', 'i');
    expect(state.shared).toHaveLength(2);
    policy.release('u', 'i');
    policy.release('u', 'a');
    expect(state.shared).toHaveLength(12);
    policy.release('u', 'a');
    expect(state.shared).toHaveLength(12);
  });

  it('keeps the CPUs of a pod together until its last container is gone', () => {
    const state = new CpuState();
    const { policy } = policyOn(state);
    const pod = podOf([container('a', '2'), container('b')], [container('i')], '5');
    policy.allocatePod(pod);
    expect(state.ofPod('u')).toHaveLength(5);
    policy.allocatePod(podOf([container('a', '1500m')]));
    for (const name of ['a', 'i']) policy.release('u', name);
    expect([state.shared.length, state.ofPod('u')?.length]).toEqual([7, 5]);
    policy.release('u', 'b');
    expect([state.shared.length, state.ofPod('u')]).toEqual([12, undefined]);
  });

  it('has for a pod that holds its CPUs only hints of these', () => {
    const { policy } = policyOn(new CpuState(), {}, true, [1]);
    policy.allocatePod(podOf([container('a', '2'), container('b')], [], '5'));
    const hints = (whole: string): unknown =>
      policy.hintsOfPod(podOf([container('a', '2'), container('b')], [], whole));
    expect(hints('5')).toEqual({
      cpu: [
        { numaNodes: [1], preferred: true },
        { numaNodes: [0, 1], preferred: false },
      ],
    });
    expect(hints('4')).toEqual({ cpu: [] });
  });

  it('counts what it gives, refuses and aligns', async () => {
    const { policy, count } = policyOn(new CpuState(), { fullPhysicalCpusOnly: true }, true, [1]);
    const pod = podOf([container('a', '2')]);
    give(policy, pod, 'a');
    expect(() => give(policy, podOf([container('b', '3')]), 'b')).toThrow('SMT Alignment Error');
    const whole = { ...podOf([container('c', '2'), container('d')], [], '4'), metadata: { uid: 'v' } };
    policy.allocatePod(whole);
    expect(() => policy.allocatePod({ ...podOf([container('e', '5')], [], '5'), metadata: { uid: 'w' } })).toThrow(
      'SMT Alignment Error',
    );
    expect(await count('kubelet_cpu_manager_pinning_')).toEqual(['errors_total 2', 'requests_total 3']);
    expect(await count('resource_manager_')).toEqual([
      'allocation_errors_total{resource_name="cpu",source="node"} 1',
      'allocation_errors_total{resource_name="cpu",source="pod"} 1',
      'allocations_total{resource_name="cpu",source="node"} 1',
      'allocations_total{resource_name="cpu",source="pod"} 2',
      'container_assignments{assignment_type="node_exclusive",resource_name="cpu"} 1',
      'container_assignments{assignment_type="pod_exclusive",resource_name="cpu"} 1',
      'container_assignments{assignment_type="pod_shared",resource_name="cpu"} 1',
    ]);
    expect(await count('kubelet_container_aligned_compute_resources_')).toEqual([
      ...['count{boundary="physical_cpu",scope="container"} 1', 'count{boundary="uncore_cache",scope="container"} 2'],
      'failure_count{boundary="physical_cpu",scope="container"} 1',
    ]);
    expect(await count('kubelet_cpu_manager_shared_pool_size_millicores')).toEqual([' 5000']);
    expect(await count('kubelet_cpu_manager_exclusive_cpu_allocation_count')).toEqual([' 6']);
    expect(await count('kubelet_cpu_manager_allocation_per_numa')).toEqual(['{numa_node="1"} 6']);
    policy.release('u', 'a');
    expect(await count('kubelet_cpu_manager_allocation_per_numa')).toEqual(['{numa_node="1"} 4']);
    const plain = policyOn(new CpuState());
    give(plain.policy, podOf([container('a', '7')]), 'a');
    expect(await plain.count('kubelet_container_aligned_compute_resources_')).toEqual([
      ...['count{boundary="physical_cpu",scope="container"} 0', 'count{boundary="uncore_cache",scope="container"} 0'],
      'failure_count{boundary="physical_cpu",scope="container"} 0',
    ]);
    expect(() => give(plain.policy, podOf([container('b', '9')]), 'b')).toThrow('not enough cpus');
    expect(await plain.count('kubelet_container_aligned_compute_resources_failure')).toEqual([
      '_count{boundary="physical_cpu",scope="container"} 0',
    ]);
  });
});
