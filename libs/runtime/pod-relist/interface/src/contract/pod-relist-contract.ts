import { describe, expect, it } from '@podwright/contract';
import type { RuntimeContainerState } from '@podwright/container-runtime-interface';
import type { PodLifecycleEvent } from '@podwright/pleg-interface';
import type { PodCache } from '@podwright/pod-cache-interface';
import type { PodRelist } from '../pod-relist.js';

/** One fresh PodRelist on a fake runtime, and the means to drive it. */
export interface PodRelistHarness {
  readonly podRelist: PodRelist;
  /** The cache that it writes. */
  readonly cache: Pick<PodCache, 'get'>;
  /** Sets the state of a pod's container (`gone`: removes its record), without a relist. */
  change(podUid: string, containerId: string, state: RuntimeContainerState | 'gone'): void;
  /** true: the runtime fails to list from now on. */
  failLists(failing: boolean): void;
  /** true: inspections of the pod fail from now on. */
  failInspections(podUid: string, failing: boolean): void;
  /** Resolves when all requested work is done. */
  settle(): Promise<void>;
  /** Timers that still run; must be 0 after stop. */
  pendingTimers(): number;
}

/** Every implementation of {@link PodRelist} passes this suite; `create` gives a new instance per case. */
export function describePodRelistContract(
  name: string,
  create: () => PodRelistHarness | Promise<PodRelistHarness>,
): void {
  describe(`${name} as a PodRelist`, () => {
    it('does not relist by itself', async () => {
      const harness = await started(create, ({ change }) => change('p', 'c', 'running'));
      harness.change('q', 'd', 'running');
      await harness.settle();
      expect(harness.seen).toEqual([]);
      expect(harness.podRelist.pods()).toEqual([]);
      await stopped(harness);
    });

    it('tells what has changed since the last relist, once', async () => {
      const harness = await started(create);
      harness.change('p', 'c', 'running');
      await relisted(harness);
      await relisted(harness);
      harness.change('p', 'c', 'exited');
      await relisted(harness);
      expect(harness.seen).toEqual([
        { type: 'ContainerStarted', podUid: 'p', containerId: 'c' },
        { type: 'ContainerDied', podUid: 'p', containerId: 'c' },
      ]);
      await stopped(harness);
    });

    it('has written the cache before it tells', async () => {
      const harness = await create();
      const states: (string | undefined)[] = [];
      harness.podRelist.watch(({ podUid }) => states.push(harness.cache.get(podUid).containers[0]?.state));
      await harness.podRelist.start();
      harness.change('p', 'c', 'running');
      await relisted(harness);
      harness.change('p', 'c', 'exited');
      await relisted(harness);
      expect(states).toEqual(['running', 'exited']);
      await stopped(harness);
    });

    it('shows pods as the newest relist showed them', async () => {
      const harness = await started(create);
      harness.change('p', 'c', 'running');
      harness.change('q', 'd', 'running');
      await relisted(harness);
      expect(harness.podRelist.pods().map(({ uid }) => uid)).toEqual(['p', 'q']);
      harness.change('p', 'c', 'exited');
      harness.change('q', 'd', 'gone');
      expect(harness.podRelist.pod('p')?.containers[0]?.state).toBe('running');
      await relisted(harness);
      expect(harness.podRelist.pod('p')?.containers[0]?.state).toBe('exited');
      expect(harness.podRelist.pod('q')).toBeUndefined();
      await stopped(harness);
    });

    it('relists one pod on demand and leaves the others', async () => {
      const harness = await started(create);
      await relisted(harness);
      harness.change('p', 'c', 'running');
      harness.change('q', 'd', 'running');
      harness.podRelist.requestRelist('p');
      await harness.settle();
      expect(harness.seen.map(({ podUid }) => podUid)).toEqual(['p']);
      await stopped(harness);
    });

    it('is content with a relist that is as new as it is asked for', async () => {
      const harness = await started(create);
      harness.change('p', 'c', 'running');
      await relisted(harness);
      harness.change('p', 'c', 'exited');
      harness.podRelist.requestRelist('p', { newerThanMs: -1 });
      await harness.settle();
      expect(harness.seen.map(({ type }) => type)).toEqual(['ContainerStarted']);
      harness.podRelist.requestRelist('p', { newerThanMs: Number.MAX_SAFE_INTEGER });
      await harness.settle();
      expect(harness.seen.map(({ type }) => type)).toEqual(['ContainerStarted', 'ContainerDied']);
      await stopped(harness);
    });

    it('rejects when the runtime cannot list, and tells afterwards what it missed', async () => {
      const harness = await started(create);
      harness.change('p', 'c', 'running');
      await relisted(harness);
      harness.failLists(true);
      harness.change('p', 'c', 'exited');
      await expect(harness.podRelist.relist()).rejects.toThrow();
      harness.failLists(false);
      await relisted(harness);
      expect(harness.seen.map(({ type }) => type)).toEqual(['ContainerStarted', 'ContainerDied']);
      await stopped(harness);
    });

    it('tells that a relist on demand has failed', async () => {
      const harness = await started(create);
      await relisted(harness);
      harness.failLists(true);
      harness.podRelist.requestRelist('p');
      await harness.settle();
      expect(harness.failures).toEqual(['p']);
      await stopped(harness);
    });

    it('keeps the events of a pod back until its inspection works, and says that it is not settled', async () => {
      const harness = await started(create);
      harness.change('p', 'c', 'running');
      await relisted(harness);
      harness.failInspections('p', true);
      harness.change('p', 'c', 'exited');
      await relisted(harness);
      expect(harness.seen).toHaveLength(1);
      expect([...harness.podRelist.unsettled]).toEqual(['p']);
      expect(harness.failures).toEqual(['p']);
      expect(() => harness.cache.get('p')).toThrow();
      harness.failInspections('p', false);
      await relisted(harness);
      expect(harness.seen.at(-1)).toEqual({ type: 'ContainerDied', podUid: 'p', containerId: 'c' });
      expect(harness.podRelist.unsettled.size).toBe(0);
      await stopped(harness);
    });

    it('vouches for what it knows, without a relist, and for nothing else', async () => {
      const harness = await started(create);
      expect(harness.podRelist.vouch('p')).toBe(false);
      harness.change('p', 'c', 'running');
      await relisted(harness);
      harness.change('p', 'c', 'exited');
      expect(harness.podRelist.vouch('p')).toBe(true);
      await harness.settle();
      expect(harness.cache.get('p').containers[0]?.state).toBe('running');
      harness.failInspections('p', true);
      await relisted(harness);
      expect(harness.podRelist.vouch('p')).toBe(false);
      await stopped(harness);
    });

    it('can be stopped before it was started, and twice', async () => {
      const harness = await create();
      await stopped(harness);
      await stopped(harness);
    });
  });
}

type Watched = PodRelistHarness & {
  readonly seen: readonly PodLifecycleEvent[];
  readonly failures: readonly string[];
};

async function started(
  create: () => PodRelistHarness | Promise<PodRelistHarness>,
  before: (harness: PodRelistHarness) => void = () => undefined,
): Promise<Watched> {
  const harness = await create();
  before(harness);
  const seen: PodLifecycleEvent[] = [];
  const failures: string[] = [];
  harness.podRelist.watch((event) => seen.push(event));
  harness.podRelist.watchFailures((podUid) => failures.push(podUid));
  await harness.podRelist.start();
  return { ...harness, seen, failures };
}

async function relisted(harness: PodRelistHarness): Promise<void> {
  await harness.podRelist.relist();
  await harness.settle();
}

async function stopped(harness: PodRelistHarness): Promise<void> {
  await harness.podRelist.stop();
  expect(harness.pendingTimers()).toBe(0);
}
