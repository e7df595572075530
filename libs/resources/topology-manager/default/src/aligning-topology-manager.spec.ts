import { beforeEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import type { Container, Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import type { MachineTopology } from '@podwright/machine';
import { createMetricsRegistry, type MetricsRegistry } from '@podwright/metrics';
import { VirtualClock } from '@podwright/time';
import type { HintProvider, TopologyHints } from '@podwright/topology-manager-interface';
import { describeTopologyManagerContract } from '@podwright/topology-manager-interface/contract';
import type { AligningTopologyManager } from './aligning-topology-manager.js';
import { createAligningTopologyManager } from './aligning-topology-manager.module.js';
import { TopologyManagerMetrics } from './topology-manager-metrics.js';
import type { AligningTopologyManagerConfig } from './topology-manager-config.js';

const machine = (nodes: number, distances = true): MachineTopology => ({
  nodes: Array.from({ length: nodes }, (_, id) => ({
    id,
    memoryBytes: 0,
    hugePages: [],
    cores: [],
    ...(distances && { distances: Array.from({ length: nodes }, (__, other) => (other === id ? 10 : 20)) }),
  })),
  cpuCount: 0,
  socketCount: 1,
});
const pod: Pod = {
  metadata: { name: 'p', namespace: 'n', uid: 'uid-p' },
  spec: { initContainers: [{ name: 'init' }], containers: [{ name: 'a' }] },
};

let metrics: MetricsRegistry;
let logger: ReturnType<typeof createMemoryLogger>;
const create = (
  options: Partial<AligningTopologyManagerConfig> = {},
  topology: MachineTopology = machine(2),
): AligningTopologyManager =>
  createAligningTopologyManager(
    { machine: { read: async () => topology }, clock: new VirtualClock(), logger, metrics },
    options,
  );
const provider = (
  hints: (container: Container | undefined) => TopologyHints,
  allocated: string[] = [],
): HintProvider => ({
  name: 'test',
  hintsOf: (_, container) => hints(container),
  hintsOfPod: () => hints(undefined),
  allocate: async (_, { name }) => void allocated.push(name),
});
const value = async (name: string): Promise<string[]> =>
  (await metrics.render()).split('\n').filter((line) => line.startsWith(name));

beforeEach(() => {
  metrics = createMetricsRegistry();
  logger = createMemoryLogger(0);
});

describeTopologyManagerContract('AligningTopologyManager', async () => ({ topology: create() }));

describe('AligningTopologyManager', () => {
  it('scope container: decides and allocates container by container', async () => {
    const topology = create({ policy: 'single-numa-node' });
    await topology.start();
    const allocated: string[] = [];
    const node = (container: Container | undefined): number => (container?.name === 'init' ? 1 : 0);
    topology.addHintProvider(
      provider((container) => ({ cpu: [{ numaNodes: [node(container)], preferred: true }] }), allocated),
    );
    await topology.admit(pod);
    expect(allocated).toEqual(['init', 'a']);
    expect(topology.affinityOf('uid-p', 'init')).toEqual({ numaNodes: [1], preferred: true });
    expect(topology.affinityOf('uid-p', 'a')).toEqual({ numaNodes: [0], preferred: true });
    expect(await value('kubelet_container_aligned_compute_resources_count')).toContain(
      'kubelet_container_aligned_compute_resources_count{boundary="numa_node",scope="container"} 2',
    );
  });

  it('scope pod: one decision for all', async () => {
    const topology = create({ policy: 'restricted', scope: 'pod' });
    await topology.start();
    const allocated: string[] = [];
    topology.addHintProvider(provider(() => ({ cpu: [{ numaNodes: [1], preferred: true }] }), allocated));
    await topology.admit(pod);
    expect(allocated).toEqual(['init', 'a']);
    for (const container of ['init', 'a'])
      expect(topology.affinityOf('uid-p', container)).toEqual({ numaNodes: [1], preferred: true });
    expect(
      (await value('kubelet_container_aligned_compute_resources_')).filter((line) => !line.endsWith(' 0')),
    ).toEqual([]);
  });

  it('scope pod with single-numa-node: one success is counted, and no failure', async () => {
    const topology = create({ policy: 'single-numa-node', scope: 'pod' });
    await topology.start();
    await topology.admit(pod);
    expect(
      (await value('kubelet_container_aligned_compute_resources_')).filter((line) => !line.endsWith(' 0')),
    ).toEqual(['kubelet_container_aligned_compute_resources_count{boundary="numa_node",scope="pod"} 1']);
  });

  it('measures admissions in whole milliseconds', async () => {
    new TopologyManagerMetrics(metrics).admissionTook(0.9);
    expect(await value('kubelet_topology_manager_admission_duration_ms_sum')).toEqual([
      'kubelet_topology_manager_admission_duration_ms_sum 0',
    ]);
  });

  it('refuses what cannot be aligned, and counts it', async () => {
    const topology = create({ policy: 'single-numa-node' });
    await topology.start();
    const allocated: string[] = [];
    topology.addHintProvider(provider(() => ({ cpu: [] }), allocated));
    await expect(topology.admit(pod)).rejects.toMatchObject({
      reason: 'TopologyAffinityError',
      message: 'Resources cannot be allocated with Topology locality',
    });
    expect(allocated).toEqual([]);
    expect(await value('kubelet_topology_manager_admission_')).toEqual(
      expect.arrayContaining([
        'kubelet_topology_manager_admission_requests_total 1',
        'kubelet_topology_manager_admission_errors_total 1',
        'kubelet_topology_manager_admission_duration_ms_count 1',
      ]),
    );
    expect(await value('kubelet_container_aligned_compute_resources_failure_count')).toContain(
      'kubelet_container_aligned_compute_resources_failure_count{boundary="numa_node",scope="container"} 1',
    );
  });

  it.each([
    ['pod', 'Pod Scope pod with pod-level resources failed admission under pod-scope topology manager'],
    ['container', 'Pod Scope pod with pod-level resources failed admission with a container-level topology manager'],
  ])('says of a pod with resources of its own which scope refused it: %s', async (scope, message) => {
    const topology = create({ policy: 'restricted', scope, podLevelResourceManagers: true });
    await topology.start();
    topology.addHintProvider(provider(() => ({ cpu: [] })));
    const podLevel = { ...pod, spec: { ...pod.spec, resources: { requests: { cpu: '2' } } } };
    await expect(topology.admit(podLevel)).rejects.toMatchObject({ reason: 'TopologyAffinityError', message });
  });

  it('scope pod: a pod with resources of its own is allocated at once where a provider can', async () => {
    const topology = create({ policy: 'best-effort', scope: 'pod', podLevelResourceManagers: true });
    await topology.start();
    const told: string[] = [];
    topology.addHintProvider(provider(() => ({}), told));
    topology.addHintProvider({ ...provider(() => ({}), told), allocatePod: async () => void told.push('whole') });
    await topology.admit({ ...pod, spec: { ...pod.spec, resources: { requests: { cpu: '2' } } } });
    expect(told.splice(0)).toEqual(['init', 'a', 'whole']);
    await topology.admit(pod);
    expect(told).toEqual(['init', 'init', 'a', 'a']);
  });

  it('policy none: a refusal of a provider is no error of alignment', async () => {
    const topology = create();
    await topology.start();
    topology.addHintProvider({
      ...provider(() => ({})),
      allocate: () =>
        Promise.reject(new KubeletError('no', { code: 'resource-exhausted', reason: 'SMTAlignmentError' })),
    });
    await expect(topology.admit(pod)).rejects.toMatchObject({ reason: 'SMTAlignmentError' });
    expect(await value('kubelet_topology_manager_admission_errors_total ')).toEqual([
      'kubelet_topology_manager_admission_errors_total 0',
    ]);
  });

  it('keeps the decision of a container that was started anew', async () => {
    const topology = create({ policy: 'best-effort' });
    await topology.start();
    topology.addHintProvider(provider(() => ({ cpu: [{ numaNodes: [1], preferred: true }] })));
    await topology.admit(pod);
    const a = { name: 'a' };
    topology.addContainer(pod, a, 'first');
    topology.addContainer(pod, a, 'second');
    topology.removeContainer('first');
    expect(topology.affinityOf('uid-p', 'a')).toEqual({ numaNodes: [1], preferred: true });
    topology.removeContainer('second');
    expect(topology.affinityOf('uid-p', 'a')).toEqual({ preferred: false });
  });

  it.each<[string, Partial<AligningTopologyManagerConfig>, MachineTopology, string]>([
    ['policy', { policy: 'all' }, machine(1), 'unknown policy: "all"'],
    ['scope', { policy: 'restricted', scope: 'node' }, machine(1), 'unknown scope: "node"'],
    ['option', { policyOptions: { fast: 'true' } }, machine(1), 'unknown Topology Manager Policy option: "fast"'],
    [
      'value of an option',
      { policyOptions: { 'prefer-closest-numa-nodes': 'maybe' } },
      machine(1),
      'bad value for option "prefer-closest-numa-nodes": strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
    [
      'number',
      { policyOptions: { 'max-allowable-numa-nodes': '8x' } },
      machine(1),
      'unable to convert policy option to integer "max-allowable-numa-nodes": strconv.Atoi: parsing "8x": invalid syntax',
    ],
    [
      'limit',
      { policyOptions: { 'max-allowable-numa-nodes': '7' } },
      machine(1),
      'the minimum value of "max-allowable-numa-nodes" should not be less than 8',
    ],
    ...['x9', '9.', '+-9', '1234567890', ''].map((text): [string, object, MachineTopology, string] => [
      `number, ${text}`,
      { policyOptions: { 'max-allowable-numa-nodes': text } },
      machine(1),
      `strconv.Atoi: parsing "${text}": invalid syntax`,
    ]),
    ['machine', {}, machine(9), 'unsupported on machines with more than 8 NUMA Nodes'],
    [
      'machine without distances',
      { policyOptions: { 'prefer-closest-numa-nodes': 'true' } },
      machine(2, false),
      'cannot discover NUMA topology: error getting NUMA distances from cadvisor',
    ],
  ])('does not start with a wrong %s', async (_, options, topology, message) => {
    await expect(create({ policy: 'best-effort', ...options }, topology).start()).rejects.toThrow(message);
  });

  it('policy none starts with all of that, and does not look at the machine', async () => {
    const topology = create({ scope: 'node', policyOptions: { fast: 'true' } }, machine(9));
    await topology.start();
  });

  it('warns of a limit that is higher than recommended', async () => {
    await create({ policy: 'restricted', policyOptions: { 'max-allowable-numa-nodes': '9' } }, machine(9)).start();
    expect(logger.messages('warning')).toEqual([
      'The value of max-allowable-numa-nodes is more than the default recommended value',
    ]);
    const limit = (text: string) => ({ policy: 'restricted', policyOptions: { 'max-allowable-numa-nodes': text } });
    await create(limit('+8')).start();
    expect(logger.messages('warning')).toHaveLength(1);
    await create(limit('10')).start();
    expect(logger.messages('warning')).toHaveLength(2);
  });
});
