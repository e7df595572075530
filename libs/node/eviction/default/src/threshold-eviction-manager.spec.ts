import { describe, expect, it } from '@jest/globals';
import type { PodStatus } from '@podwright/kube-types';
import type { PodStats } from '@podwright/stats-interface';
import { evictionConfigSchema } from './eviction-config.js';
import { benchPod, EvictionBench, gibibyte } from './fixtures/eviction-bench.js';
import { createThresholdEvictionManager, type ThresholdEvictionManagerDeps } from './threshold-eviction-manager.js';

const time = '';
const onDisk = (usedBytes: number): Partial<PodStats> => ({
  containers: [{ name: 'main', startTime: time, rootfs: { time, usedBytes }, logs: { time, usedBytes: 0 } }],
});
const scratch = (usedBytes: number): Partial<PodStats> => ({ volume: [{ name: 'scratch', time, usedBytes }] });
const limited = { volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '1Mi' } }] };
const seconds = (count: number): number => count * 1_000;

describe('ThresholdEvictionManager', () => {
  it('kills with a second of grace, a status, an event with annotations, and counts it', async () => {
    const bench = new EvictionBench({ evictionHard: { 'memory.available': '1Gi' } });
    bench.run(benchPod('web', { terminationGracePeriodSeconds: 60 }), {
      memory: { time, workingSetBytes: 3 * gibibyte },
      containers: [{ name: 'main', startTime: time, memory: { time, workingSetBytes: 3 * gibibyte } }],
    });
    bench.setMemory(gibibyte / 2);
    await bench.clock.advance(500);
    await bench.manager.synchronize();
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
    expect(bench.kills).toEqual([
      { name: 'web', atMs: expect.any(Number), gracePeriodSeconds: 1, evict: true, status },
    ]);
    const annotations = {
      offending_containers: 'main',
      offending_containers_usage: '3Gi',
      starved_resource: 'memory',
    };
    expect(bench.events).toEqual([
      { object: 'node', type: 'Warning', reason: 'EvictionThresholdMet', message: 'Attempting to reclaim memory' },
      { object: 'web', type: 'Warning', reason: 'Evicted', message, annotations },
    ]);
    const metrics = await bench.metrics.render();
    expect(metrics).toContain('kubelet_evictions{eviction_signal="memory.available"} 1');
    expect(metrics).toContain('kubelet_eviction_stats_age_seconds_count{eviction_signal="memory.available"} 1');
    await bench.manager.stop();
  });

  it.each<[number, number | undefined, number]>([
    [0, 60, 0],
    [30, 60, 30],
    [30, 5, 5],
    [30, undefined, 30],
  ])('for a soft threshold gives at most %i s of the %s that a pod has: %i', async (most, own, given) => {
    const bench = new EvictionBench({
      evictionSoft: { 'memory.available': '1Gi' },
      evictionSoftGracePeriod: { 'memory.available': '15s' },
      maxPodGracePeriodSeconds: most,
    });
    bench.run(benchPod('web', own === undefined ? {} : { terminationGracePeriodSeconds: own }), {});
    bench.setMemory(0);
    await bench.manager.start();
    await bench.clock.advance(seconds(14));
    expect([bench.killed(), bench.manager.memoryPressure()]).toEqual([[], true]);
    await bench.clock.advance(seconds(7));
    expect(bench.kills).toMatchObject([{ name: 'web', gracePeriodSeconds: given }]);
    await bench.manager.stop();
  });

  it('frees what the node can spare before it evicts', async () => {
    const bench = new EvictionBench({
      evictionHard: { 'nodefs.available': '10Gi' },
      evictionMinimumReclaim: { 'nodefs.available': '5Gi' },
      localStorageCapacityIsolation: false,
    });
    bench.run(benchPod('web'), onDisk(gibibyte));
    const freed = (available: number): void => {
      bench.setDisk('nodefs', { available });
      bench.setDisk('imagefs', { available });
    };
    freed(9 * gibibyte);
    bench.onReclaim = (what) => (what === 'images' ? freed(16 * gibibyte) : undefined);
    const spared = await bench.manager.synchronize();
    expect(spared).toMatchObject({
      reclaimed: [{ what: 'containers' }, { what: 'images' }],
      rankings: [],
      evicted: [],
    });
    expect(bench.reclaims).toEqual(['containers true', 'images']);
    expect([bench.killed(), bench.manager.diskPressure()]).toEqual([[], true]);
    // Enough for the threshold, but not for the minimum reclaim as well.
    freed(9 * gibibyte);
    bench.onReclaim = (what) => (what === 'images' ? freed(14 * gibibyte) : undefined);
    await bench.clock.advance(seconds(10));
    expect(await bench.manager.synchronize()).toMatchObject({ evicted: [{ name: 'web', signal: 'nodefs.available' }] });
    await bench.manager.stop();
  });

  it('evicts although nothing could be freed, or it is not known', async () => {
    const bench = new EvictionBench({ evictionHard: { 'imagefs.available': '10Gi' } });
    bench.run(benchPod('web'), onDisk(gibibyte));
    bench.setDisk('imagefs', { available: gibibyte });
    bench.onReclaim = (what) => {
      if (what === 'images') bench.readable = false;
      else throw new Error('the runtime is slow');
    };
    expect(await bench.manager.synchronize()).toMatchObject({
      reclaimed: [{ what: 'containers', error: 'the runtime is slow' }, { what: 'images' }],
      evicted: [{ name: 'web' }],
    });
    await bench.manager.stop();
  });

  it('measures the pods that have limits of local storage, and all of them only when some must be ranked', async () => {
    const bench = new EvictionBench({ evictionHard: { 'memory.available': '1Gi' } });
    bench.runWithMemory('plain', gibibyte);
    const resources = { limits: { 'ephemeral-storage': '1Gi' } };
    bench.runWithMemory('container', 1, { containers: [{ name: 'c', resources }] });
    bench.runWithMemory('init', 1, { containers: [{ name: 'c' }], initContainers: [{ name: 'i', resources }] });
    bench.runWithMemory('pod', 1, { containers: [{ name: 'c' }], resources });
    bench.runWithMemory('volume', 1, {
      containers: [{ name: 'c' }],
      volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Mi' } }],
    });
    const limited = ['container', 'init', 'pod', 'volume'].map((name) => `uid-${name}`);
    await bench.manager.synchronize();
    expect(bench.looks).toEqual([limited]);
    bench.setMemory(0);
    await bench.clock.advance(seconds(10));
    expect((await bench.manager.synchronize())?.evicted).toMatchObject([{ name: 'plain' }]);
    expect(bench.looks).toEqual([limited, limited, 'all']);
    await bench.manager.stop();
  });

  it('has the decision in its log and among its records while the pod is still ending, and says later what came of it', async () => {
    const bench = new EvictionBench({ evictionHard: { 'memory.available': '1Gi' } });
    bench.runWithMemory('slow', 1);
    bench.setMemory(0);
    let atTheKill: unknown;
    bench.killing = async () => {
      const logged = bench.logger.messages('info').includes('Eviction manager: decision');
      atTheKill = { logged, records: bench.manager.decisions().map(({ evicted }) => evicted) };
      throw new Error('timeout waiting to kill pod');
    };
    const decision = await bench.manager.synchronize();
    expect(atTheKill).toEqual({ logged: true, records: [[expect.not.objectContaining({ error: expect.anything() })]] });
    expect(decision?.evicted).toMatchObject([{ name: 'slow', error: 'timeout waiting to kill pod' }]);
    expect(bench.manager.decisions()).toEqual([decision]);
    await bench.manager.stop();
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
    expect(() => new EvictionBench(options)).toThrow(`${field} is refused: `);
    const problem = expect.stringContaining(words);
    expect(evictionConfigSchema.decode(options)).toEqual({ ok: false, faults: [{ field, value, problem }] });
  });

  it('asks for no pod at all without isolation of local storage', async () => {
    const bench = new EvictionBench({
      evictionHard: { 'memory.available': '1Gi' },
      localStorageCapacityIsolation: false,
    });
    bench.run(benchPod('volume', { volumes: [{ name: 'v', emptyDir: { sizeLimit: '1Mi' } }] }));
    await bench.manager.synchronize();
    expect(bench.looks).toEqual([[]]);
    await bench.manager.stop();
  });

  it('goes on to the next pass when a kill fails, and counts it as evicted', async () => {
    const bench = new EvictionBench({ evictionHard: { 'memory.available': '1Gi' } });
    bench.runWithMemory('a', 2);
    bench.runWithMemory('b', 1);
    bench.setMemory(0);
    bench.killing = async () => {
      throw new Error('timeout waiting to kill pod');
    };
    const decision = await bench.manager.synchronize();
    expect(decision?.evicted).toMatchObject([{ name: 'a', error: 'timeout waiting to kill pod' }]);
    expect(bench.killed()).toEqual(['a']);
    await bench.manager.stop();
  });

  it('waits for the clean-up of a pod, at most 30 s', async () => {
    const bench = new EvictionBench({ evictionHard: { 'memory.available': '1Gi' } });
    bench.runWithMemory('stuck', 2);
    bench.runWithMemory('b', 1, { priority: 5 });
    bench.setMemory(0);
    bench.killing = async (pod) => {
      if (pod.metadata.name === 'stuck') throw new Error('timeout');
    };
    await bench.manager.start();
    await bench.clock.advance(seconds(29));
    expect(bench.killed()).toEqual(['stuck']);
    await bench.clock.advance(seconds(2));
    expect(bench.killed()).toEqual(['stuck', 'stuck']);
    await bench.manager.stop();
  });

  it('acts once on one reading', async () => {
    const bench = new EvictionBench({ evictionHard: { 'memory.available': '1Gi' } });
    bench.runWithMemory('a', 2);
    bench.runWithMemory('b', 1);
    bench.setMemory(0);
    await bench.manager.synchronize();
    expect(await bench.manager.synchronize()).toBeUndefined();
    expect(bench.killed()).toEqual(['a']);
    await bench.manager.stop();
  });

  it('evicts every pod beyond its limits of local storage, and does nothing else in that pass', async () => {
    const bench = new EvictionBench({ evictionHard: { 'memory.available': '1Gi' } });
    bench.run(benchPod('a', { ...limited, terminationGracePeriodSeconds: 60 }), scratch(2 ** 21));
    bench.run(benchPod('fine', limited), scratch(2 ** 20));
    bench.run(benchPod('unknown', limited));
    bench.run(benchPod('b', limited), scratch(2 ** 22));
    bench.run(benchPod('static', limited, true), scratch(2 ** 22));
    bench.setMemory(0);
    const decision = await bench.manager.synchronize();
    const message = 'Usage of EmptyDir volume "scratch" exceeds the limit "1Mi". ';
    const status = { phase: 'Failed', reason: 'Evicted', message };
    expect(bench.kills).toMatchObject(['a', 'b'].map((name) => ({ name, gracePeriodSeconds: 1, evict: true, status })));
    expect(bench.kills.map((kill) => (kill.status as PodStatus).conditions)).toEqual([undefined, undefined]);
    expect(bench.events.map(({ reason }) => reason)).toEqual(['Evicted', 'Evicted']);
    expect(decision).toMatchObject({ rankings: [], evicted: [{ signal: 'emptydirfs.limit' }, { name: 'b' }] });
    expect(await bench.metrics.render()).toContain('kubelet_evictions{eviction_signal="emptydirfs.limit"} 2');
    await bench.manager.stop();
  });

  it('leaves local storage alone without isolation, and looks at nothing when there is nothing to do', async () => {
    const bench = new EvictionBench({ localStorageCapacityIsolation: false });
    bench.run(benchPod('a', limited), scratch(2 ** 30));
    bench.readable = false;
    expect(await bench.manager.synchronize()).toBeUndefined();
    expect([bench.killed(), bench.logger.entries]).toEqual([[], []]);
    await bench.manager.stop();
  });

  it.each<['single' | 'dedicated' | 'split', readonly string[], string]>([
    ['single', ['containers true', 'images'], 'layer'],
    ['dedicated', [], 'volume'],
  ])('with disks %s reclaims %j, then the pod with the larger %s', async (layout, reclaims, name) => {
    const bench = new EvictionBench({
      evictionHard: { 'nodefs.available': '10%' },
      localStorageCapacityIsolation: false,
    });
    bench.layout = layout;
    bench.run(benchPod('layer', { volumes: [] }), onDisk(9 * gibibyte));
    bench.run(benchPod('volume', { volumes: [{ name: 'scratch', emptyDir: {} }] }), {
      ...onDisk(0),
      ...scratch(gibibyte),
    });
    bench.setDisk('nodefs', { available: gibibyte });
    await bench.manager.synchronize();
    expect([bench.reclaims, bench.killed()]).toEqual([reclaims, [name]]);
    await bench.manager.stop();
  });

  it('shows pressure to node and admission until the transition period is over', async () => {
    const bench = new EvictionBench({
      evictionHard: { 'memory.available': '1Gi', 'pid.available': '1000' },
      pressureTransitionPeriodMs: seconds(60),
    });
    const { manager, clock, admission } = bench;
    const shown = (): readonly boolean[] => [manager.memoryPressure(), manager.diskPressure(), manager.pidPressure()];
    await manager.start();
    await clock.advance(seconds(1));
    const [admit] = admission;
    expect(await admit?.(benchPod('new'), [], 'add')).toBeUndefined();
    bench.setMemory(0);
    bench.set({ rlimit: { time, maxpid: 32_768, curproc: 32_000 } });
    await clock.advance(seconds(10));
    expect(shown()).toEqual([true, false, true]);
    const message = 'The node had condition: [MemoryPressure PIDPressure]. ';
    expect(await admit?.(benchPod('new'), [], 'add')).toEqual({ admit: false, reason: 'Evicted', message });
    bench.setMemory(2 * gibibyte);
    await clock.advance(seconds(58));
    expect(shown()).toEqual([true, false, true]);
    await clock.advance(seconds(12));
    expect(shown()).toEqual([false, false, true]);
    await manager.stop();
    expect(admission).toEqual([]);
  });

  it('keeps one record of a shortage that nobody can be evicted for', async () => {
    const bench = new EvictionBench({ evictionHard: { 'memory.available': '1Gi' } });
    bench.runWithMemory('web', 1);
    bench.setMemory(0);
    for (let pass = 0; pass < 5; pass++) {
      await bench.manager.synchronize();
      await bench.clock.advance(seconds(10));
    }
    expect(bench.manager.decisions().map(({ evicted }) => evicted.length)).toEqual([0, 1]);
    const lines = bench.logger.entries.filter(({ message }) => message === 'Eviction manager: decision');
    expect(lines[0]?.fields).toMatchObject({
      reclaimFor: 'memory.available',
      rankings: [{ signal: 'memory.available', pods: 1, first: ['default/web usage=1 request=0 priority=0'] }],
      evicted: [{ pod: 'default/web', signal: 'memory.available' }],
    });
    await bench.manager.stop();
  });

  it('ranks all signals in a dry run, whether or not there is a threshold', async () => {
    const bench = new EvictionBench({ localStorageCapacityIsolation: true });
    bench.run(benchPod('a', limited), scratch(2 ** 21));
    const { rankings, evicted } = await bench.manager.dryRun();
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
    expect([bench.killed(), bench.events, bench.reclaims]).toEqual([[], [], []]);
    await bench.manager.stop();
  });

  it('stops although a kill hangs', async () => {
    const bench = new EvictionBench({ evictionHard: { 'memory.available': '1Gi' } });
    bench.runWithMemory('web', 1);
    bench.setMemory(0);
    bench.killing = () => new Promise(() => undefined);
    await bench.manager.start();
    await bench.clock.advance(seconds(1));
    expect(bench.killed()).toEqual(['web']);
    await bench.manager.stop();
    expect(bench.clock.pendingTimers).toBe(0);
  });

  it('refuses thresholds that upstream refuses', () => {
    const create = (): unknown =>
      createThresholdEvictionManager({} as ThresholdEvictionManagerDeps, {
        evictionSoft: { 'memory.available': '1Gi' },
      });
    expect(create).toThrow('grace period must be specified for the soft eviction threshold memory.available');
  });
});
