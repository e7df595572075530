import { describe, expect, it } from '@jest/globals';
import type { ContainerRuntime } from '@podwright/container-runtime-interface';
import { RecordingJournal } from '@podwright/journal-interface/contract';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import type { PodLifecycleEvent } from '@podwright/pleg-interface';
import { VirtualClock } from '@podwright/time';
import { describePodRelistContract } from '@podwright/pod-relist-interface/contract';
import { createContractHarness } from './fixtures/contract-harness.js';
import { FakeRuntime } from './fixtures/fake-runtime.js';
import { RecordingCache } from './fixtures/recording-cache.js';
import type { ListingPodRelistConfig } from './listing-pod-relist-config.js';
import type { ListingPodRelist } from './listing-pod-relist.js';
import { createPodRelist } from './listing-pod-relist.module.js';

interface Setup {
  readonly clock: VirtualClock;
  readonly runtime: FakeRuntime;
  readonly cache: RecordingCache;
  readonly podRelist: ListingPodRelist;
  readonly seen: PodLifecycleEvent[];
  readonly metrics: ReturnType<typeof createMetricsRegistry>;
  readonly journal: RecordingJournal;
  start(): void;
  stop(): Promise<void>;
}

function setUp(options: Partial<ListingPodRelistConfig> = {}): Setup {
  const clock = new VirtualClock();
  const runtime = new FakeRuntime();
  const cache = new RecordingCache();
  const metrics = createMetricsRegistry();
  const [logger, journal] = [createMemoryLogger(), new RecordingJournal()];
  const deps = { runtime: runtime as unknown as ContainerRuntime, cache, clock, logger, metrics, journal };
  const podRelist = createPodRelist(deps, options);
  const seen: PodLifecycleEvent[] = [];
  podRelist.watch((event) => seen.push(event));
  return { clock, runtime, cache, podRelist, seen, metrics, journal, ...eachSecond(podRelist, clock) };
}

/** Relists as a pleg does: at once, then each second. */
function eachSecond(podRelist: ListingPodRelist, clock: VirtualClock): Pick<Setup, 'start' | 'stop'> {
  const stopping = new AbortController();
  let loop: Promise<void> | undefined;
  const relist = (): Promise<void> => podRelist.relist().catch(() => undefined);
  return {
    start: () => void (loop = clock.every(1000, relist, stopping.signal)),
    stop: async () => {
      stopping.abort();
      await podRelist.stop();
      await loop;
    },
  };
}

describePodRelistContract('ListingPodRelist', createContractHarness);

describe('ListingPodRelist', () => {
  it('inspects a pod that does not change once only', async () => {
    const { clock, runtime, cache, start, stop } = setUp();
    runtime.change('p', 'c', 'running');
    start();
    await clock.advance(5000);
    await stop();
    expect(runtime.inspections).toEqual(['p']);
    expect(cache.advances.at(-1)).toEqual({ timeMs: 5000, except: [] });
  });

  it('goes on with the other pods, and with time, while inspections hang', async () => {
    const { clock, runtime, cache, seen, start, stop } = setUp({ parallelInspections: 2, inspectionTimeoutMs: 60_000 });
    for (const uid of ['h1', 'h2', 'h3']) {
      runtime.change(uid, 'c', 'running');
      runtime.hanging.add(uid);
    }
    for (let pod = 0; pod < 97; pod++) runtime.change(`p${pod}`, 'c', 'running');
    start();
    await clock.advance(30_000);
    expect(seen).toHaveLength(97);
    expect(cache.advances.at(-1)).toEqual({ timeMs: 30_000, except: ['h1', 'h2', 'h3'] });
    // One inspection at a time per pod, however many relists went by.
    expect(runtime.inspections.filter((uid) => uid === 'h1')).toHaveLength(1);
    await clock.advance(40_000);
    expect(() => cache.get('h1')).toThrow('deadline of 60000 ms exceeded');
    expect(runtime.inspections.filter((uid) => uid === 'h1')).toHaveLength(2);
    runtime.hanging.clear();
    await clock.advance(100_000);
    await stop();
    expect(seen).toHaveLength(100);
    expect(cache.advances.at(-1)?.except).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  it('stops while inspections and lists hang', async () => {
    const { clock, runtime, podRelist, start, stop } = setUp();
    runtime.change('p', 'c', 'running');
    runtime.hanging.add('p');
    start();
    await clock.advance(1500);
    runtime.beforeAnswer = () => new Promise(() => undefined);
    await clock.advance(1500);
    podRelist.requestRelist('p');
    await stop();
    expect(clock.pendingTimers).toBe(0);
  });

  it('tells one PodSync when a repeated inspection finds no event', async () => {
    const { clock, runtime, seen, start, stop } = setUp();
    runtime.change('p', 'c', 'running');
    start();
    await clock.advance(0);
    runtime.failing.add('p');
    runtime.change('p', 'c', 'exited');
    await clock.advance(1000);
    runtime.change('p', 'c', 'running');
    runtime.failing.clear();
    await clock.advance(3000);
    await stop();
    expect(seen.map(({ type }) => type)).toEqual(['ContainerStarted', 'PodSync']);
  });

  it('keeps the IPs of a pod without a ready sandbox', async () => {
    const { clock, runtime, cache, journal, start, stop } = setUp();
    runtime.ips.set('p', ['10.0.0.1']);
    runtime.change('p', 'c', 'running');
    start();
    await clock.advance(0);
    runtime.ips.clear();
    runtime.change('p', 'c', 'exited');
    await clock.advance(1000);
    await stop();
    expect(cache.get('p').ips).toEqual(['10.0.0.1']);
    const pod = { uid: 'p', namespace: 'default', name: 'web' };
    expect(journal.decisions).toMatchObject([{ kind: 'container.exited', pod, container: 'c', containerId: 'c' }]);
  });

  it('counts running pods and containers by state, also after a relist of one pod', async () => {
    const { clock, runtime, podRelist, metrics, start, stop } = setUp();
    runtime.change('p', 'a', 'running');
    runtime.change('p', 'b', 'running');
    start();
    await clock.advance(1000);
    runtime.change('p', 'b', 'exited');
    podRelist.requestRelist('p');
    await clock.advance(1);
    await stop();
    const text = await metrics.render();
    expect(text).toContain('kubelet_running_containers{container_state="exited"} 1');
    expect(text).toContain('kubelet_running_containers{container_state="running"} 1');
    expect(text).toContain('kubelet_pleg_relist_duration_seconds_count 2');
    expect(text).toContain('kubelet_pleg_relist_interval_seconds_count 1');
  });

  describe('on demand', () => {
    it('relists the one pod at once and merges requests', async () => {
      const { clock, runtime, seen, podRelist, start, stop } = setUp();
      start();
      await clock.advance(500);
      runtime.change('p', 'c', 'running');
      podRelist.requestRelist('p');
      podRelist.requestRelist('p');
      await clock.advance(1);
      expect(runtime.lists).toEqual([undefined, 'p']);
      expect(seen).toHaveLength(1);
      await stop();
    });

    it('relists all pods at once when several are asked for, and singly when they are few of many', async () => {
      const { clock, runtime, seen, podRelist, start, stop } = setUp();
      start();
      await clock.advance(500);
      for (let pod = 0; pod < 60; pod++) {
        runtime.change(`p${pod}`, 'c', 'running');
        podRelist.requestRelist(`p${pod}`);
      }
      await clock.advance(1);
      expect(runtime.lists).toEqual([undefined, undefined]);
      expect(seen).toHaveLength(60);
      podRelist.requestRelist('p1');
      podRelist.requestRelist('p2');
      await clock.advance(1);
      expect(runtime.lists).toEqual([undefined, undefined, 'p1', 'p2']);
      await stop();
      expect(clock.pendingTimers).toBe(0);
    });

    it('gathers requests for ten times as long as the runtime takes to answer, but not for long', async () => {
      const { clock, runtime, podRelist, start, stop } = setUp();
      start();
      await clock.advance(0);
      runtime.change('p', 'c', 'running');
      const relistsWithinMs = async (lastsMs: number, answerMs: number): Promise<number> => {
        runtime.beforeAnswer = ({ podUid }) => (podUid === undefined ? Promise.resolve() : clock.sleep(answerMs));
        const before = runtime.lists.filter((podUid) => podUid === 'p').length;
        for (let ms = 0; ms < lastsMs; ms++) {
          podRelist.requestRelist('p');
          await clock.advance(1);
        }
        return runtime.lists.filter((podUid) => podUid === 'p').length - before;
      };
      expect(await relistsWithinMs(900, 3)).toBeLessThanOrEqual(31);
      await clock.advance(1000);
      expect(await relistsWithinMs(900, 100)).toBeGreaterThanOrEqual(3);
      await stop();
    });

    it('tells each pod of a relist of all that fails', async () => {
      const { clock, runtime, podRelist, start, stop } = setUp();
      const failed: string[] = [];
      podRelist.watchFailures((podUid) => failed.push(podUid));
      start();
      await clock.advance(500);
      runtime.listError = new Error('runtime is down');
      podRelist.requestRelist('p');
      podRelist.requestRelist('q');
      await clock.advance(1);
      expect(failed).toEqual(['p', 'q']);
      await stop();
    });

    it('measures also a relist of one pod that fails', async () => {
      const { clock, runtime, podRelist, metrics, start, stop } = setUp();
      start();
      await clock.advance(500);
      runtime.listError = new Error('runtime is down');
      podRelist.requestRelist('p');
      await clock.advance(1);
      await stop();
      expect(await metrics.render()).toContain('kubelet_pleg_pod_relist_duration_seconds_count 1\n');
    });

    it('shows a pod as seen later than the end of the work that asked', async () => {
      const { clock, runtime, cache, podRelist, start, stop } = setUp();
      start();
      await clock.advance(500);
      runtime.change('p', 'c', 'running');
      podRelist.requestRelist('p');
      const endOfWorkMs = clock.monotonic();
      await clock.advance(1);
      expect(cache.outcomes.get('p')?.observedAtMs).toBeGreaterThan(endOfWorkMs);
      await stop();
    });

    it('does not take a relist of all for a later one that began in the same millisecond', async () => {
      const { clock, runtime, cache, podRelist, stop } = setUp();
      runtime.change('p', 'c', 'running');
      await podRelist.relist();
      await clock.advance(1_000);
      podRelist.requestRelist('p');
      await podRelist.relist();
      await clock.advance(1);
      expect(cache.confirmed).toEqual(['p']);
      await stop();
    });

    it.each([false, true])(
      'leaves a request to a relist under way that is new enough, if that works',
      async (fails) => {
        const { clock, runtime, cache, podRelist, start, stop } = setUp();
        runtime.change('p', 'c', 'running');
        start();
        await clock.advance(500);
        runtime.beforeAnswer = () => clock.sleep(50);
        if (fails) runtime.listError = new Error('runtime is down');
        podRelist.requestRelist('p');
        await clock.advance(20);
        podRelist.requestRelist('p', { newerThanMs: 500 });
        await clock.advance(40);
        runtime.listError = undefined;
        await clock.advance(350);
        expect(runtime.lists).toEqual(fails ? [undefined, 'p', 'p'] : [undefined, 'p']);
        expect(cache.confirmed).toEqual(['p']);
        await stop();
      },
    );

    it('shows a pod as seen by a relist that ends while the pod is inspected', async () => {
      const { clock, runtime, cache, podRelist, start, stop } = setUp();
      start();
      await clock.advance(500);
      runtime.beforeInspection = () => clock.sleep(300);
      runtime.change('p', 'c', 'running');
      podRelist.requestRelist('p');
      await clock.advance(100);
      podRelist.requestRelist('p');
      const endOfWorkMs = clock.monotonic();
      await clock.advance(300);
      expect(runtime.inspections).toEqual(['p']);
      expect(cache.outcomes.get('p')?.observedAtMs).toBeGreaterThan(endOfWorkMs);
      await stop();
    });

    it('inspects a pod again when it is asked to during an inspection', async () => {
      const { clock, runtime, podRelist, start, stop } = setUp();
      runtime.change('p', 'c', 'running');
      start();
      await clock.advance(500);
      runtime.beforeInspection = () => clock.sleep(300);
      for (let request = 0; request < 2; request++) {
        podRelist.requestRelist('p', { inspect: true });
        await clock.advance(100);
      }
      await clock.advance(1_000);
      expect(runtime.inspections).toEqual(['p', 'p', 'p']);
      await stop();
    });

    it('inspects a pod without a difference when it is asked to, and tells it once', async () => {
      const { clock, runtime, seen, podRelist, start, stop } = setUp();
      runtime.change('p', 'c', 'running');
      start();
      await clock.advance(500);
      podRelist.requestRelist('p', { inspect: true });
      podRelist.requestRelist('unknown', { inspect: true });
      await clock.advance(1);
      expect(runtime.inspections).toEqual(['p', 'p']);
      expect(seen.map(({ type }) => type)).toEqual(['ContainerStarted', 'PodSync']);
      await clock.advance(2_000);
      expect(runtime.inspections).toEqual(['p', 'p']);
      await stop();
    });

    it('inspects for the patient with the next relist', async () => {
      const { clock, runtime, podRelist, start, stop } = setUp();
      runtime.change('p', 'c', 'running');
      start();
      await clock.advance(500);
      podRelist.requestRelist('p', { inspect: true, patient: true });
      await clock.advance(499);
      expect(runtime.inspections).toEqual(['p']);
      await clock.advance(1);
      expect(runtime.inspections).toEqual(['p', 'p']);
      await stop();
    });

    it('confirms a pod without a difference and forgets one that is gone', async () => {
      const { clock, runtime, cache, seen, podRelist, start, stop } = setUp();
      runtime.change('p', 'c', 'running');
      start();
      await clock.advance(500);
      podRelist.requestRelist('p');
      await clock.advance(1);
      expect(cache.confirmed).toEqual(['p']);
      expect(runtime.inspections).toEqual(['p']);
      runtime.change('p', 'c', 'gone');
      podRelist.requestRelist('p');
      await clock.advance(1);
      expect(seen.map(({ type }) => type)).toEqual(['ContainerStarted', 'ContainerDied', 'ContainerRemoved']);
      expect(cache.outcomes.size).toBe(0);
      await stop();
    });

    it('believes the relist that was sent last, whichever is answered first', async () => {
      const { clock, runtime, seen, podRelist, start, stop } = setUp();
      runtime.change('p', 'c', 'running');
      start();
      await clock.advance(500);
      // The relist at 1000 still sees the pod, but is answered after the relist at 1100, which no longer does.
      runtime.beforeAnswer = ({ podUid }) => (podUid === undefined ? clock.sleep(300) : Promise.resolve());
      await clock.advance(600);
      runtime.change('p', 'c', 'gone');
      podRelist.requestRelist('p');
      await clock.advance(3000);
      await stop();
      expect(seen.map(({ type }) => type)).toEqual(['ContainerStarted', 'ContainerDied', 'ContainerRemoved']);
    });

    it('drops a relist that was answered after a later relist', async () => {
      const { clock, runtime, seen, podRelist, start, stop } = setUp();
      runtime.change('p', 'c', 'running');
      start();
      await clock.advance(500);
      runtime.beforeAnswer = ({ podUid }) => (podUid === undefined ? Promise.resolve() : clock.sleep(2000));
      podRelist.requestRelist('p');
      await clock.advance(100);
      runtime.change('p', 'c', 'exited');
      await clock.advance(5000);
      await stop();
      expect(seen.map(({ type }) => type)).toEqual(['ContainerStarted', 'ContainerDied']);
    });
  });

  it('names the option that is out of range', () => {
    expect(() => setUp({ parallelInspections: 0 })).toThrow('parallelInspections');
  });
});
