import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describeCpuManagerContract } from '@podwright/cpu-manager-interface/contract';
import type { Container, Pod } from '@podwright/kube-types';
import { container, CpuHarness, podOf, sidecar, smtMachine } from './fixtures/cpu-harness.js';
import type { PinningCpuManager } from './pinning-cpu-manager.js';
import type { PinningCpuManagerConfig } from './pinning-cpu-manager-config.js';

let harness: CpuHarness;
let managers: PinningCpuManager[];

beforeEach(async () => {
  harness = await CpuHarness.create();
  managers = [];
});
afterEach(async () => {
  for (const manager of managers) await manager.stop();
  expect(harness.clock.pendingTimers).toBe(0);
  await harness.remove();
});

async function started(options: Partial<PinningCpuManagerConfig> = {}): Promise<PinningCpuManager> {
  const manager = harness.manager(options);
  managers.push(manager);
  await manager.start();
  return manager;
}
async function admit(manager: PinningCpuManager, pod: Pod): Promise<Record<string, readonly number[]>> {
  harness.run(...harness.active, pod);
  const containers: Container[] = [...(pod.spec.initContainers ?? []), ...pod.spec.containers];
  for (const one of containers) await manager.allocate(pod, one);
  const uid = pod.metadata.uid ?? '';
  return Object.fromEntries(containers.map(({ name }) => [name, manager.exclusiveCpusOf(uid, name)]));
}
const metric = async (name: string): Promise<string | undefined> =>
  (await harness.metrics.render()).split('\n').find((line) => line.startsWith(`${name} `));

describeCpuManagerContract('PinningCpuManager', async () => {
  const own = await CpuHarness.create();
  return { cpus: own.manager(), setActive: (pods) => void (own.active = pods) };
});

describe('policy static', () => {
  it('uses the CPUs of init containers again, but not those of sidecars', async () => {
    const manager = await started();
    const pod = podOf('p', [container('app', '2')], [container('init', '4'), sidecar('side', '1')]);
    expect(manager.hintsOfPod(pod)).toEqual({ cpu: [{ numaNodes: [0], preferred: true }] });
    const given = await admit(manager, pod);
    expect(given['init']).toHaveLength(4);
    expect(given['init']).toEqual(expect.arrayContaining([...(given['app'] ?? [])]));
    expect(given['app']?.some((cpu) => given['side']?.includes(cpu))).toBe(false);
    harness.active = [];
    manager.releaseInactive();
    expect(manager.cpusOf('x', 'y')).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it('takes CPUs of the nodes that the topology manager has chosen, then others', async () => {
    await harness.remove();
    harness = await CpuHarness.create(smtMachine(2, 4));
    const manager = await started();
    harness.hint = { numaNodes: [1], preferred: true };
    expect(await admit(manager, podOf('a', [container('one', '4')]))).toEqual({ one: [4, 5, 12, 13] });
    expect(await admit(manager, podOf('b', [container('one', '6')]))).toEqual({ one: [1, 6, 7, 9, 14, 15] });
    expect(manager.hintsOf(podOf('c', [container('one', '1')]), container('one', '1'))).toEqual({
      cpu: [
        { numaNodes: [0], preferred: true },
        { numaNodes: [0, 1], preferred: false },
      ],
    });
    expect(await metric('kubelet_cpu_manager_exclusive_cpu_allocation_count')).toContain(' 10');
    expect(await metric('kubelet_cpu_manager_allocation_per_numa{numa_node="1"}')).toContain(' 8');
  });

  it.each([
    [{ 'full-pcpus-only': 'true' }, '3', 'SMT Alignment Error: requested 3 cpus not multiple cpus per core = 2'],
    [
      { 'full-pcpus-only': 'true' },
      '8',
      'SMT Alignment Error: not enough free physical CPUs: available physical CPUs = 6, requested CPUs = 8, CPUs per core = 2',
    ],
  ])('refuses with %j a container that asks for %s', async (policyOptions, cpu, message) => {
    const manager = await started({ policyOptions });
    const refused = admit(manager, podOf('p', [container('app', cpu)]));
    await expect(refused).rejects.toMatchObject({ reason: 'SMTAlignmentError', message });
    expect(await metric('kubelet_cpu_manager_pinning_errors_total')).toContain(' 1');
  });

  it('keeps reserved CPUs from everybody with strict-cpu-reservation, also after a restart', async () => {
    const options = { policyOptions: { 'strict-cpu-reservation': 'true' } };
    expect((await started(options)).cpusOf('x', 'y')).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect((await started(options)).cpusOf('x', 'y')).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('gives a pod with resources of its own CPUs only with the gate', async () => {
    const pod = podOf('p', [container('app', '2'), { name: 'rest' }]);
    const podLevel: Pod = {
      ...pod,
      spec: { ...pod.spec, resources: { requests: { cpu: '3', memory: '2Mi' }, limits: { cpu: '3', memory: '2Mi' } } },
    };
    expect(await admit(await started(), podLevel)).toEqual({ app: [], rest: [] });
    await harness.remove();
    harness = await CpuHarness.create();
    const manager = await started({ podLevelResourceManagers: true });
    harness.run(podLevel);
    await manager.allocatePod(podLevel);
    expect([manager.exclusiveCpusOf('uid-p', 'app'), manager.exclusiveCpusOf('uid-p', 'rest')]).toEqual([[1, 5], [4]]);
    expect(manager.containerHas(podLevel, container('app', '2'))).toBe(true);
    expect(manager.containerHas(podLevel, { name: 'rest' })).toBe(false);
    expect(manager.podHas(podLevel)).toBe(false);
    expect(await harness.stored()).toMatchObject({ podEntries: { 'uid-p': { cpuSet: '1,4-5' } } });
    await manager.stop();
    const restarted = await started({ podLevelResourceManagers: true });
    expect(restarted.hintsOfPod(podLevel)).toEqual({ cpu: [{ numaNodes: [0], preferred: true }] });
    await restarted.allocatePod(podLevel);
    expect([restarted.cpusOf('x', 'y'), restarted.cpusOf('uid-p', 'rest')]).toEqual([[0, 2, 3, 6, 7], [4]]);
    harness.active = [];
    restarted.releaseInactive();
    expect(restarted.cpusOf('x', 'y')).toHaveLength(8);
  });

  it('refuses a pod with resources of its own that leaves nothing to its other containers', async () => {
    const manager = await started({ podLevelResourceManagers: true });
    const pod = podOf('p', [container('app', '3'), { name: 'rest' }]);
    const amounts = { cpu: '3', memory: '2Mi' };
    const podLevel: Pod = { ...pod, spec: { ...pod.spec, resources: { requests: amounts, limits: amounts } } };
    expect(manager.hintsOfPod(podLevel)).toEqual({ cpu: [] });
    await expect(manager.allocatePod(podLevel)).rejects.toMatchObject({
      reason: 'EmptyPodSharedPoolError',
      message:
        'pod rejected, sum of exclusive container cpu requests equals pod budget, leaving no cpus for shared containers',
    });
    expect(manager.cpusOf('x', 'y')).toHaveLength(8);
  });

  it('says who has CPUs of its own, unless its gate is off', async () => {
    const pod = podOf('p', [container('app', '2'), container('part', '500m')]);
    const manager = await started();
    await admit(manager, pod);
    const [app, part] = pod.spec.containers as [Container, Container];
    expect([manager.podHas(pod), manager.containerHas(pod, app), manager.containerHas(pod, part)]).toEqual([
      true,
      true,
      false,
    ]);
    const without = await started({ disableQuota: false });
    expect([without.podHas(pod), without.containerHas(pod, app)]).toEqual([false, false]);
  });
});

describe('running containers', () => {
  it('are told once when the CPUs change that they may run on, again after a failure, and not when nothing changes', async () => {
    const manager = await started();
    const shared = podOf('shared', [container('one', '100m')]);
    harness.run(shared);
    await harness.clock.advance(10_000);
    expect(harness.told).toEqual(['shared-one 0-7']);
    const pinned = podOf('pinned', [container('app', '2')]);
    await admit(manager, pinned);
    manager.addContainer(pinned, pinned.spec.containers[0] as Container, 'pinned-app');
    harness.failure = new Error('runtime away');
    await harness.clock.advance(10_000);
    expect(harness.told).toHaveLength(1);
    harness.failure = undefined;
    await harness.clock.advance(30_000);
    expect(harness.told).toEqual(['shared-one 0-7', 'shared-one 0,2-4,6-7']);
    harness.active = [shared];
    await harness.clock.advance(10_000);
    expect(harness.told.at(-1)).toBe('shared-one 0-7');
    expect(harness.storedWhenTold).not.toHaveProperty('entries');
  });

  it('keep their CPUs as long as not all sources of pods have answered, and over a restart', async () => {
    const pinned = podOf('pinned', [container('app', '2')]);
    const first = await started();
    await admit(first, pinned);
    await first.stop();
    [harness.active, harness.ready] = [[], false];
    const second = await started();
    await harness.clock.advance(20_000);
    expect(second.exclusiveCpusOf('uid-pinned', 'app')).toEqual([1, 5]);
    harness.ready = true;
    await harness.clock.advance(20_000);
    expect(second.exclusiveCpusOf('uid-pinned', 'app')).toEqual([]);
  });

  it('that wait or have ended are left alone', async () => {
    await started();
    const pod = podOf('p', [container('a', '100m'), container('b', '100m'), container('c', '100m')]);
    harness.run(pod);
    harness.statuses.set('uid-p', {
      containerStatuses: [
        { name: 'a', containerID: 'containerd://a', state: { terminated: { exitCode: 0 } } },
        { name: 'b', state: { waiting: {} } },
      ],
    } as never);
    await harness.clock.advance(20_000);
    expect(harness.told).toEqual([]);
  });

  it('cost nothing with policy none', async () => {
    const manager = await started({ policy: 'none' });
    harness.run(podOf('p', [container('a', '2')]));
    expect(harness.clock.pendingTimers).toBe(0);
    expect([manager.cpusOf('uid-p', 'a'), manager.allocatableCpus()]).toEqual([undefined, []]);
    expect(await harness.stored()).toMatchObject({ policyName: 'none', defaultCpuSet: '' });
  });
});

describe('a start that cannot be', () => {
  it.each<[string, Partial<PinningCpuManagerConfig>, string]>([
    ['policy', { policy: 'all' }, 'unknown policy: "all"'],
    [
      'option of policy none',
      { policy: 'none', policyOptions: { a: 'true' } },
      'None policy: received unsupported options=map[a:true]',
    ],
    [
      'option',
      { policyOptions: { fast: 'true' } },
      'new static policy error: unknown CPU Manager Policy option: "fast"',
    ],
    [
      'value',
      { policyOptions: { 'full-pcpus-only': 'x' } },
      'new static policy error: bad value for option "full-pcpus-only": strconv.ParseBool: parsing "x": invalid syntax',
    ],
    [
      'alpha option without its gate',
      { policyOptions: { 'align-by-socket': 'true' } },
      'CPU Manager Policy Alpha-level Options not enabled, but option "align-by-socket" provided',
    ],
    [
      'beta option without its gate',
      { policyOptions: { 'distribute-cpus-across-numa': 'true' }, betaOptions: false },
      'CPU Manager Policy Beta-level Options not enabled, but option "distribute-cpus-across-numa" provided',
    ],
    [
      'pair of options',
      {
        policyOptions: { 'prefer-align-cpus-by-uncorecache': 'true', 'distribute-cpus-across-numa': 'true' },
      },
      'static policy options prefer-align-cpus-by-uncorecache and distribute-cpus-across-numa can not be used at the same time',
    ],
    [
      'pair with the topology manager',
      { policyOptions: { 'align-by-socket': 'true' }, alphaOptions: true, topologyPolicy: 'single-numa-node' },
      'Topolgy manager single-numa-node policy is incompatible with CPUManager align-by-socket policy option',
    ],
    [
      'reservation of nothing',
      { reservedSystemCpus: '' },
      '[cpumanager] unable to determine reserved CPU resources for static policy',
    ],
    [
      'reservation of zero',
      { reservedSystemCpus: '', reservedMilliCpu: 0 },
      '[cpumanager] the static policy requires systemreserved.cpu + kubereserved.cpu to be greater than zero',
    ],
    [
      'reservation of too much',
      { reservedSystemCpus: '', reservedMilliCpu: 8_100 },
      'new static policy error: [cpumanager] unable to reserve the required amount of CPUs (size of  did not equal 9)',
    ],
    ['reservation', { reservedSystemCpus: '7-8' }, 'reserved-cpus: 7-8 is not a subset of online-cpus: 0-7'],
    [
      'reservation with policy none',
      { policy: 'none', reservedSystemCpus: '8' },
      'reserved-cpus: 8 is not a subset of online-cpus: 0-7',
    ],
  ])('names the %s', async (_, options, message) => {
    await expect(harness.manager(options).start()).rejects.toThrow(message);
  });

  it('takes reserved CPUs core by core where they are not named', async () => {
    const manager = await started({ reservedSystemCpus: '', reservedMilliCpu: 1_100 });
    expect(manager.allocatableCpus()).toEqual([1, 2, 3, 5, 6, 7]);
  });

  it.each([
    ['"0-6"', {}, 'current set of available CPUs "0-7" doesn\'t match with CPUs in state "0-6"'],
    ['"1-7"', {}, 'not all reserved cpus: "0" are present in defaultCpuSet: "1-7"'],
    ['"0-7"', { p: { c: '3' } }, 'pod: p, container: c cpuset: "3" overlaps with default cpuset "0-7"'],
    ['""', { p: { c: '3' } }, 'default cpuset cannot be empty'],
  ])('tells of a state with %s and %j', async (shared, entries, message) => {
    const stored = `{"policyName":"static","defaultCpuSet":${shared},"entries":${JSON.stringify(entries)},"checksum":0}`;
    await writeFile(path.join(harness.rootDir, 'cpu_manager_state'), stored);
    await expect(harness.manager().start()).rejects.toThrow(`start cpu manager error: ${message}`);
    expect(harness.logger.messages('error')).toEqual([
      'Invalid state, please drain this node and delete the state file of the CPU manager',
    ]);
  });
});
