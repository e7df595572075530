import { describe, expect, it } from '@jest/globals';
import type { PodStatus } from '@podwright/kube-types';
import type { PodStats } from '@podwright/stats-interface';
import { evictionConfigSchema } from './eviction-config.js';
import { testPod, EvictionHarness, gibibyte } from './fixtures/eviction-harness.js';
import type { EvictionNeeds } from './eviction-needs.js';
import { createThresholdEvictionManager } from './threshold-eviction-manager.module.js';

const time = '';
const onDisk = (usedBytes: number): Partial<PodStats> => ({
  containers: [{ name: 'main', startTime: time, rootfs: { time, usedBytes }, logs: { time, usedBytes: 0 } }],
});
const scratch = (usedBytes: number): Partial<PodStats> => ({ volume: [{ name: 'scratch', time, usedBytes }] });
const limited = { volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '1Mi' } }] };
const seconds = (count: number): number => count * 1_000;

describe('ThresholdEvictionManager', () => {
  it('kills with a second of grace, a status, an event with annotations, and counts it', async () => {
    const harness = new EvictionHarness({ evictionHard: { 'memory.available': '1Gi' } });
    harness.run(testPod('web', { terminationGracePeriodSeconds: 60 }), {
      memory: { time, workingSetBytes: 3 * gibibyte },
      containers: [{ name: 'main', startTime: time, memory: { time, workingSetBytes: 3 * gibibyte } }],
    });
    harness.setMemory(gibibyte / 2);
    await harness.clock.advance(500);
    await harness.manager.synchronize();
    const message =
      'The node was low on resource: memory. Threshold quantity: 1Gi, available: 512Mi. ' +
      'Container main was using 3Gi, request is 0, has larger consumption of memory. ';
    const condition = { type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet', message };
    const status = {
      phase: 'Failed',
      reason: 'Evicted',
      message,
      conditions: [{ ...condition, observedGeneration: 3 }],
    };
    expect(harness.kills).toEqual([
      { name: 'web', atMs: expect.any(Number), gracePeriodSeconds: 1, evict: true, status },
    ]);
    const annotations = {
      offending_containers: 'main',
      offending_containers_usage: '3Gi',
      starved_resource: 'memory',
    };
    expect(harness.events).toEqual([
      { object: 'node', type: 'Warning', reason: 'EvictionThresholdMet', message: 'Attempting to reclaim memory' },
      { object: 'web', type: 'Warning', reason: 'Evicted', message, annotations },
    ]);
    const metrics = await harness.metrics.render();
    expect(metrics).toContain('kubelet_evictions{eviction_signal="memory.available"} 1');
    expect(metrics).toContain('kubelet_eviction_stats_age_seconds_count{eviction_signal="memory.available"} 1');
    expect(harness.journal.kinds('uid-web')).toEqual(['eviction']);
    expect(harness.journal.of('eviction')).toEqual([{ kind: 'eviction', ...harness.manager.decisions()[0] }]);
    await harness.manager.stop();
  });

  it.each<[number, number | undefined, number]>([
    [0, 60, 0],
    [30, 60, 30],
    [30, 5, 5],
    [30, undefined, 30],
  ])('for a soft threshold gives at most %i s of the %s that a pod has: %i', async (most, own, given) => {
    const harness = new EvictionHarness({
      evictionSoft: { 'memory.available': '1Gi' },
      evictionSoftGracePeriod: { 'memory.available': '15s' },
      maxPodGracePeriodSeconds: most,
    });
    harness.run(testPod('web', own === undefined ? {} : { terminationGracePeriodSeconds: own }), {});
    harness.setMemory(0);
    await harness.manager.start();
    await harness.clock.advance(seconds(14));
    expect([harness.killed(), harness.manager.memoryPressure()]).toEqual([[], true]);
    await harness.clock.advance(seconds(7));
    expect(harness.kills).toMatchObject([{ name: 'web', gracePeriodSeconds: given }]);
    await harness.manager.stop();
  });

  it('frees what the node can spare before it evicts', async () => {
    const harness = new EvictionHarness({
      evictionHard: { 'nodefs.available': '10Gi' },
      evictionMinimumReclaim: { 'nodefs.available': '5Gi' },
      localStorageCapacityIsolation: false,
    });
    harness.run(testPod('web'), onDisk(gibibyte));
    const freed = (available: number): void => {
      harness.setDisk('nodefs', { available });
      harness.setDisk('imagefs', { available });
    };
    freed(9 * gibibyte);
    harness.onReclaim = (what) => (what === 'images' ? freed(16 * gibibyte) : undefined);
    const spared = await harness.manager.synchronize();
    expect(spared).toMatchObject({
      reclaimed: [{ what: 'containers' }, { what: 'images' }],
      rankings: [],
      evicted: [],
    });
    expect(harness.reclaims).toEqual(['containers true', 'images']);
    expect([harness.killed(), harness.manager.diskPressure()]).toEqual([[], true]);
    // Enough for the threshold, but not for the minimum reclaim as well.
    freed(9 * gibibyte);
    harness.onReclaim = (what) => (what === 'images' ? freed(14 * gibibyte) : undefined);
    await harness.clock.advance(seconds(10));
    expect(await harness.manager.synchronize()).toMatchObject({
      evicted: [{ name: 'web', signal: 'nodefs.available' }],
    });
    await harness.manager.stop();
  });

  it('evicts although nothing could be freed, or it is not known', async () => {
    const harness = new EvictionHarness({ evictionHard: { 'imagefs.available': '10Gi' } });
    harness.run(testPod('web'), onDisk(gibibyte));
    harness.setDisk('imagefs', { available: gibibyte });
    harness.onReclaim = (what) => {
      if (what === 'images') harness.readable = false;
      else throw new Error('the runtime is slow');
    };
    expect(await harness.manager.synchronize()).toMatchObject({
      reclaimed: [{ what: 'containers', error: 'the runtime is slow' }, { what: 'images' }],
      evicted: [{ name: 'web' }],
    });
    await harness.manager.stop();
  });

  it('measures the pods that have limits of local storage, and all of them only when some must be ranked', async () => {
    const harness = new EvictionHarness({ evictionHard: { 'memory.available': '1Gi' } });
    harness.runWithMemory('plain', gibibyte);
    const resources = { limits: { 'ephemeral-storage': '1Gi' } };
    harness.runWithMemory('container', 1, { containers: [{ name: 'c', resources }] });
    harness.runWithMemory('init', 1, { containers: [{ name: 'c' }], initContainers: [{ name: 'i', resources }] });
    harness.runWithMemory('pod', 1, { containers: [{ name: 'c' }], resources });
    harness.runWithMemory('volume', 1, {
      containers: [{ name: 'c' }],
      volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Mi' } }],
    });
    const limited = ['container', 'init', 'pod', 'volume'].map((name) => `uid-${name}`);
    await harness.manager.synchronize();
    expect(harness.summaries).toEqual([limited]);
    harness.setMemory(0);
    await harness.clock.advance(seconds(10));
    expect((await harness.manager.synchronize())?.evicted).toMatchObject([{ name: 'plain' }]);
    expect(harness.summaries).toEqual([limited, limited, 'all']);
    await harness.manager.stop();
  });

  it('has the decision in its log and among its records while the pod is still ending, and says later what came of it', async () => {
    const harness = new EvictionHarness({ evictionHard: { 'memory.available': '1Gi' } });
    harness.runWithMemory('slow', 1);
    harness.setMemory(0);
    let atTheKill: unknown;
    harness.killing = async () => {
      const logged = harness.logger.messages('info').includes('Eviction manager: decision');
      atTheKill = { logged, records: harness.manager.decisions().map(({ evicted }) => evicted) };
      throw new Error('timeout waiting to kill pod');
    };
    const decision = await harness.manager.synchronize();
    expect(atTheKill).toEqual({ logged: true, records: [[expect.not.objectContaining({ error: expect.anything() })]] });
    expect(decision?.evicted).toMatchObject([{ name: 'slow', error: 'timeout waiting to kill pod' }]);
    expect(harness.manager.decisions()).toEqual([decision]);
    await harness.manager.stop();
  });

  it.each([
    [
      { evictionHard: { 'foo.available': '10%' } },
      'evictionHard[foo.available]',
      'unsupported eviction signal foo.available',
      '10%',
    ],
    [{ evictionSoft: { 'memory.available': 'much' } }, 'evictionSoft[memory.available]', '', 'much'],
    [
      { evictionSoftGracePeriod: { 'memory.available': '-1s' } },
      'evictionSoftGracePeriod[memory.available]',
      'must be a positive value',
      '-1s',
    ],
    [
      { evictionMinimumReclaim: { 'nodefs.available': '0%' } },
      'evictionMinimumReclaim[nodefs.available]',
      'must be positive',
      '0%',
    ],
  ])('names the statement that makes no sense: %j', (options, field, words, value) => {
    expect(() => new EvictionHarness(options)).toThrow(`${field} is refused: `);
    const problem = expect.stringContaining(words);
    expect(evictionConfigSchema.decode(options)).toEqual({ ok: false, faults: [{ field, value, problem }] });
  });

  it('asks for no pod at all without isolation of local storage', async () => {
    const harness = new EvictionHarness({
      evictionHard: { 'memory.available': '1Gi' },
      localStorageCapacityIsolation: false,
    });
    harness.run(testPod('volume', { volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Mi' } }] }));
    await harness.manager.synchronize();
    expect(harness.summaries).toEqual([[]]);
    await harness.manager.stop();
  });

  it('goes on to the next pass when a kill fails, and counts it as evicted', async () => {
    const harness = new EvictionHarness({ evictionHard: { 'memory.available': '1Gi' } });
    harness.runWithMemory('a', 2);
    harness.runWithMemory('b', 1);
    harness.setMemory(0);
    harness.killing = async () => {
      throw new Error('timeout waiting to kill pod');
    };
    const decision = await harness.manager.synchronize();
    expect(decision?.evicted).toMatchObject([{ name: 'a', error: 'timeout waiting to kill pod' }]);
    expect(harness.killed()).toEqual(['a']);
    await harness.manager.stop();
  });

  it('waits for the clean-up of a pod, at most 30 s', async () => {
    const harness = new EvictionHarness({ evictionHard: { 'memory.available': '1Gi' } });
    harness.runWithMemory('stuck', 2);
    harness.runWithMemory('b', 1, { priority: 5 });
    harness.setMemory(0);
    harness.killing = async (pod) => {
      if (pod.metadata.name === 'stuck') throw new Error('timeout');
    };
    await harness.manager.start();
    await harness.clock.advance(seconds(29));
    expect(harness.killed()).toEqual(['stuck']);
    await harness.clock.advance(seconds(2));
    expect(harness.killed()).toEqual(['stuck', 'stuck']);
    await harness.manager.stop();
  });

  it('acts once on one reading', async () => {
    const harness = new EvictionHarness({ evictionHard: { 'memory.available': '1Gi' } });
    harness.runWithMemory('a', 2);
    harness.runWithMemory('b', 1);
    harness.setMemory(0);
    await harness.manager.synchronize();
    expect(await harness.manager.synchronize()).toBeUndefined();
    expect(harness.killed()).toEqual(['a']);
    await harness.manager.stop();
  });

  it('evicts every pod beyond its limits of local storage, and does nothing else in that pass', async () => {
    const harness = new EvictionHarness({ evictionHard: { 'memory.available': '1Gi' } });
    harness.run(testPod('a', { ...limited, terminationGracePeriodSeconds: 60 }), scratch(2 ** 21));
    harness.run(testPod('fine', limited), scratch(2 ** 20));
    harness.run(testPod('unknown', limited));
    harness.run(testPod('b', limited), scratch(2 ** 22));
    harness.run(testPod('static', limited, true), scratch(2 ** 22));
    harness.setMemory(0);
    const decision = await harness.manager.synchronize();
    const message = 'Usage of EmptyDir volume "scratch" exceeds the limit "1Mi". ';
    const status = { phase: 'Failed', reason: 'Evicted', message };
    expect(harness.kills).toMatchObject(
      ['a', 'b'].map((name) => ({ name, gracePeriodSeconds: 1, evict: true, status })),
    );
    expect(harness.kills.map((kill) => (kill.status as PodStatus).conditions)).toEqual([undefined, undefined]);
    expect(harness.events.map(({ reason }) => reason)).toEqual(['Evicted', 'Evicted']);
    expect(decision).toMatchObject({ rankings: [], evicted: [{ signal: 'emptydirfs.limit' }, { name: 'b' }] });
    expect(await harness.metrics.render()).toContain('kubelet_evictions{eviction_signal="emptydirfs.limit"} 2');
    await harness.manager.stop();
  });

  it('leaves local storage alone without isolation, and observes nothing when there is nothing to do', async () => {
    const harness = new EvictionHarness({ localStorageCapacityIsolation: false });
    harness.run(testPod('a', limited), scratch(2 ** 30));
    harness.readable = false;
    expect(await harness.manager.synchronize()).toBeUndefined();
    expect([harness.killed(), harness.logger.entries]).toEqual([[], []]);
    await harness.manager.stop();
  });

  it.each<['single' | 'dedicated' | 'split', readonly string[], string]>([
    ['single', ['containers true', 'images'], 'layer'],
    ['dedicated', [], 'volume'],
  ])('with disks %s reclaims %j, then the pod with the larger %s', async (layout, reclaims, name) => {
    const harness = new EvictionHarness({
      evictionHard: { 'nodefs.available': '10%' },
      localStorageCapacityIsolation: false,
    });
    harness.layout = layout;
    harness.run(testPod('layer', { volumes: [] }), onDisk(9 * gibibyte));
    harness.run(testPod('volume', { volumes: [{ name: 'scratch', emptyDir: {} }] }), {
      ...onDisk(0),
      ...scratch(gibibyte),
    });
    harness.setDisk('nodefs', { available: gibibyte });
    await harness.manager.synchronize();
    expect([harness.reclaims, harness.killed()]).toEqual([reclaims, [name]]);
    await harness.manager.stop();
  });

  it('shows pressure to node and admission until the transition period is over', async () => {
    const harness = new EvictionHarness({
      evictionHard: { 'memory.available': '1Gi', 'pid.available': '1000' },
      pressureTransitionPeriodMs: seconds(60),
    });
    const { manager, clock } = harness;
    const shown = (): readonly boolean[] => [manager.memoryPressure(), manager.diskPressure(), manager.pidPressure()];
    await manager.start();
    await clock.advance(seconds(1));
    const { stage, check } = manager.admissionCheck();
    expect(stage).toBe('eviction');
    expect(await check(testPod('new'), [], 'add')).toBeUndefined();
    harness.setMemory(0);
    harness.set({ rlimit: { time, maxpid: 32_768, curproc: 32_000 } });
    await clock.advance(seconds(10));
    expect(shown()).toEqual([true, false, true]);
    const message = 'The node had condition: [MemoryPressure PIDPressure]. ';
    expect(await check(testPod('new'), [], 'add')).toEqual({ admit: false, reason: 'Evicted', message });
    harness.setMemory(2 * gibibyte);
    await clock.advance(seconds(58));
    expect(shown()).toEqual([true, false, true]);
    await clock.advance(seconds(12));
    expect(shown()).toEqual([false, false, true]);
    expect(await check(testPod('new'), [], 'add')).toMatchObject({ admit: false });
    await manager.stop();
    expect(await check(testPod('new'), [], 'add')).toBeUndefined();
  });

  it('keeps one record of a shortage that nobody can be evicted for', async () => {
    const harness = new EvictionHarness({ evictionHard: { 'memory.available': '1Gi' } });
    harness.runWithMemory('web', 1);
    harness.setMemory(0);
    for (let pass = 0; pass < 5; pass++) {
      await harness.manager.synchronize();
      await harness.clock.advance(seconds(10));
    }
    expect(harness.manager.decisions().map(({ evicted }) => evicted.length)).toEqual([0, 1]);
    const lines = harness.logger.entries.filter(({ message }) => message === 'Eviction manager: decision');
    expect(lines[0]?.fields).toMatchObject({
      reclaimFor: 'memory.available',
      rankings: [{ signal: 'memory.available', pods: 1, first: ['default/web usage=1 request=0 priority=0'] }],
      evicted: [{ pod: 'default/web', signal: 'memory.available' }],
    });
    await harness.manager.stop();
  });

  it('ranks all signals in a dry run, whether or not there is a threshold', async () => {
    const harness = new EvictionHarness({ localStorageCapacityIsolation: true });
    harness.run(testPod('a', limited), scratch(2 ** 21));
    const { rankings, evicted } = await harness.manager.dryRun();
    expect(rankings.map(({ signal, measured }) => [signal, measured.join('+')])).toEqual([
      ['memory.available', 'working set'],
      ['nodefs.available', 'root+logs+local volumes'],
      ['nodefs.inodesFree', 'root+logs+local volumes'],
      ['imagefs.available', 'root+logs+local volumes'],
      ['imagefs.inodesFree', 'root+logs+local volumes'],
      ['containerfs.available', 'root+logs+local volumes'],
      ['containerfs.inodesFree', 'root+logs+local volumes'],
      ['pid.available', 'processes'],
    ]);
    expect(evicted).toMatchObject([{ name: 'a', signal: 'emptydirfs.limit' }]);
    expect([harness.killed(), harness.events, harness.reclaims]).toEqual([[], [], []]);
    await harness.manager.stop();
  });

  it('stops although a kill hangs', async () => {
    const harness = new EvictionHarness({ evictionHard: { 'memory.available': '1Gi' } });
    harness.runWithMemory('web', 1);
    harness.setMemory(0);
    harness.killing = () => new Promise(() => undefined);
    await harness.manager.start();
    await harness.clock.advance(seconds(1));
    expect(harness.killed()).toEqual(['web']);
    await harness.manager.stop();
    expect(harness.clock.pendingTimers).toBe(0);
  });

  it('refuses thresholds that upstream refuses', () => {
    const create = (): unknown =>
      createThresholdEvictionManager({} as EvictionNeeds, {
        evictionSoft: { 'memory.available': '1Gi' },
      });
    expect(create).toThrow('grace period must be specified for the soft eviction threshold memory.available');
  });
});
