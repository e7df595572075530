import { afterEach, describe, expect, it } from '@jest/globals';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';
import type { Container, Node, Pod, PodSpec } from '@podwright/kube-types';
import { EVICTION_MANAGER } from '@podwright/eviction-interface';
import type { Summary } from '@podwright/stats-interface';
import { SimulatedCluster } from './simulated-cluster.js';

const gibibyte = 2 ** 30;
const memoryBytes = 8 * gibibyte;

const main = (memory?: string): Container => ({
  ...{ name: 'main', image: 'registry.test/main:1', imagePullPolicy: 'IfNotPresent' },
  ...(memory !== undefined && { resources: { requests: { memory } } }),
});
const isEvicted = (pod: Pod | undefined): boolean => pod?.status?.phase === 'Failed' && pod.status.reason === 'Evicted';
const pressureOf = (node: Node | undefined): string | undefined =>
  node?.status?.conditions?.find(({ type }) => type === 'MemoryPressure')?.status;
const isTainted = (node: Node | undefined): boolean =>
  (node?.spec?.taints ?? []).some(({ key }) => key === 'node.kubernetes.io/memory-pressure');

describe('a node under pressure', () => {
  let sim: SimulatedCluster;
  /** Bytes that a pod uses while it runs, by its name. */
  const usage = new Map<string, number>();
  afterEach(async () => {
    usage.clear();
    await sim.dispose();
  });

  const isRunning = (uid: string): boolean => sim.node.runtime.control.containers(uid).some(({ running }) => running);
  const known = new Map<string, string>();
  const summary = async (): Promise<Summary> => {
    const time = new Date(sim.node.clock.now()).toISOString();
    const running = [...known].filter(([, uid]) => isRunning(uid));
    const workingSetBytes = running.reduce((sum, [name]) => sum + (usage.get(name) ?? 0), 0);
    const disk = { time, availableBytes: 50, capacityBytes: 100, inodesFree: 50, inodes: 100 };
    return {
      node: {
        ...{ nodeName: 'node', startTime: time, fs: disk, runtime: { imageFs: disk, containerFs: disk } },
        memory: { time, workingSetBytes, availableBytes: memoryBytes - workingSetBytes, usageBytes: workingSetBytes },
      },
      pods: running.map(([name, uid]) => ({
        podRef: { name, namespace: 'default', uid },
        startTime: time,
        containers: [{ name: 'main', startTime: time }],
        memory: { time, workingSetBytes: usage.get(name) ?? 0 },
      })),
    };
  };

  const join = async (configuration: Partial<KubeletConfiguration>): Promise<void> => {
    known.clear();
    sim = await SimulatedCluster.create({ jitterless: true, configuration, summary });
    sim.node.runtime.store.load('registry.test/main:1');
    // What ends with 0 has succeeded, evicted or not.
    sim.node.runtime.programs.set('main', { onStop: 'ignore' });
    await sim.node.boot();
    await sim.until('the node is there', async () => pressureOf(await sim.apiNode()) === 'False');
  };
  const run = async (name: string, spec: Partial<PodSpec> = {}): Promise<void> => {
    const { metadata } = await sim.bind(name, { containers: [main()], ...spec });
    known.set(name, metadata.uid ?? '');
    await sim.untilReady(name);
  };
  const untilEvicted = (name: string, limitMs?: number): Promise<number> =>
    sim.until(`${name} is evicted`, async () => isEvicted(await sim.pod(name)), limitMs);
  const graceOf = (name: string): readonly unknown[] => {
    const uid = known.get(name) ?? '';
    return sim.node.runtime.calls
      .of('stopContainer')
      .filter(({ subjects }) => subjects.includes(uid))
      .map(({ request }) => Number((request as { timeout: bigint }).timeout));
  };

  it('evicts one pod after the other by the rules, and tells the shortage to API server and scheduler', async () => {
    await join({ evictionHard: { 'memory.available': '1Gi' }, evictionPressureTransitionPeriod: '30s' });
    await run('modest', { containers: [main('4Gi')] });
    await run('greedy', { terminationGracePeriodSeconds: 60 });
    await run('small');
    usage
      .set('modest', 3.5 * gibibyte)
      .set('greedy', 3 * gibibyte)
      .set('small', gibibyte);
    expect(await untilEvicted('greedy', 15_000)).toBeLessThanOrEqual(14_000);
    const greedy = await sim.pod('greedy');
    expect(greedy?.status?.message).toBe(
      'The node was low on resource: memory. Threshold quantity: 1Gi, available: 512Mi. ',
    );
    expect(greedy?.status?.conditions?.find(({ type }) => type === 'DisruptionTarget')).toMatchObject({
      ...{ status: 'True', reason: 'TerminationByKubelet', message: greedy?.status?.message },
    });
    // The least that a container gets, whatever it asks for.
    expect(graceOf('greedy')).toEqual([2]);
    const tookMs = await sim.until(
      'the node tells its shortage',
      async () => pressureOf(await sim.apiNode()) === 'True',
    );
    expect(tookMs).toBeLessThanOrEqual(10_100);
    await sim.until('the node is tainted', async () => isTainted(await sim.apiNode()), 1_000);
    await sim.bind('late', {});
    await sim.until('a pod is refused', async () => isEvicted(await sim.pod('late')), 5_000);
    await sim.bind('asking', { containers: [main('1Mi')], tolerations: [{ operator: 'Exists' }] });
    await sim.untilReady('asking', 5_000);
    const clearedMs = await sim.until(
      'the shortage is over',
      async () => pressureOf(await sim.apiNode()) === 'False' && !isTainted(await sim.apiNode()),
    );
    expect(clearedMs).toBeGreaterThan(5_000);
    for (const name of ['modest', 'small']) expect((await sim.pod(name))?.status?.phase).toBe('Running');
    const made = sim.node.part(EVICTION_MANAGER).decisions();
    expect(made).toHaveLength(1);
    expect(made[0]?.rankings[0]?.pods.map(({ name }) => name)).toEqual(['greedy', 'small', 'modest']);
    expect(sim.node.reasons().filter((reason) => reason === 'EvictionThresholdMet')).toHaveLength(1);
  });

  it.each([
    { most: 0, own: 60, given: 2 },
    { most: 20, own: 60, given: 20 },
    { most: 20, own: 5, given: 5 },
  ])(
    'waits out the grace of a soft threshold and gives the pod at most $most of its $own s',
    async ({ most, own, given }) => {
      await join({
        evictionSoft: { 'memory.available': '2Gi' },
        evictionSoftGracePeriod: { 'memory.available': '30s' },
        evictionMaxPodGracePeriod: most,
      });
      await run('web', { terminationGracePeriodSeconds: own });
      await sim.node.clock.advance(100);
      usage.set('web', 7 * gibibyte);
      await sim.until('the node tells its shortage', async () => pressureOf(await sim.apiNode()) === 'True', 21_000);
      expect(isEvicted(await sim.pod('web'))).toBe(false);
      const tookMs = await untilEvicted('web', 90_000);
      expect(tookMs).toBeGreaterThanOrEqual(19_000);
      expect(tookMs).toBeLessThanOrEqual(42_000 + given * 1_000);
      expect(graceOf('web')).toEqual([given]);
    },
  );

  it('does not count a shortage that passed within the grace of a soft threshold', async () => {
    await join({
      evictionSoft: { 'memory.available': '2Gi' },
      evictionSoftGracePeriod: { 'memory.available': '30s' },
    });
    await run('web');
    for (let time = 0; time < 4; time++) {
      usage.set('web', 7 * gibibyte);
      await sim.node.clock.advance(20_000);
      usage.set('web', gibibyte);
      await sim.node.clock.advance(20_000);
    }
    expect((await sim.pod('web'))?.status?.phase).toBe('Running');
    expect(sim.node.part(EVICTION_MANAGER).decisions()).toEqual([]);
  });

  it('goes on where it was when the kubelet is killed under pressure: nothing evicted comes back', async () => {
    await join({ evictionHard: { 'memory.available': '1Gi' } });
    await run('greedy');
    await run('second');
    usage.set('greedy', 4 * gibibyte).set('second', 3.5 * gibibyte);
    await sim.node.until(() => sim.node.runtime.calls.count('stopContainer') > 0, 15_000);
    await sim.node.kill();
    await sim.node.clock.advance(5_000);
    usage.set('second', 7.5 * gibibyte);
    await sim.node.boot();
    await untilEvicted('greedy', 30_000);
    await untilEvicted('second', 60_000);
    await sim.node.clock.advance(60_000);
    expect(sim.node.runtime.control.containers().filter(({ running }) => running)).toEqual([]);
    expect(sim.node.runtime.calls.count('createContainer')).toBe(2);
    expect(pressureOf(await sim.apiNode())).toBe('True');
  });

  it('does nothing in a dry run', async () => {
    await join({ evictionHard: { 'memory.available': '1Gi' } });
    await run('greedy');
    const manager = sim.node.part(EVICTION_MANAGER);
    expect(await sim.finish(manager.dryRun())).toMatchObject({ dryRun: true, evicted: [], conditions: [] });
    usage.set('greedy', 7.5 * gibibyte);
    const decision = await sim.finish(manager.dryRun());
    expect(decision).toMatchObject({ reclaimFor: 'memory.available', evicted: [{ name: 'greedy' }] });
    expect((await sim.pod('greedy'))?.status?.phase).toBe('Running');
    await untilEvicted('greedy', 15_000);
  });
});
