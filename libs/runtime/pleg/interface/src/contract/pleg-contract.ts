import { describe, expect, it } from '@podwright/contract';
import type { RuntimeContainerState } from '@podwright/container-runtime-interface';
import type { PodCache } from '@podwright/pod-cache-interface';
import type { Pleg, PodLifecycleEvent } from '../pleg.js';

/** The new state of a pod's container; `gone`: the runtime has no record of it. */
export type ContainerChange = readonly [podUid: string, containerId: string, state: RuntimeContainerState | 'gone'];

/** Abilities of a Pleg; the suite skips the cases that need a missing one. */
export interface PlegCapabilities {
  /** It compares full lists: it finds changes without an event, and is healthy only when a list has succeeded. */
  readonly relists: boolean;
  /** It inspects a pod after a change, which may fail; without this ability the change carries the status. */
  readonly inspects: boolean;
}

/** One fresh Pleg on a fake runtime, not started, and the means to drive it. */
export interface PlegHarness {
  readonly pleg: Pleg;
  /** The cache that the Pleg writes. */
  readonly cache: PodCache;
  /** Makes one change and resolves when the Pleg has seen it. */
  observe(...change: ContainerChange): Promise<void>;
  /**
   * Required with `relists`: makes the changes one after the other, without events. With `runtimeAway` the runtime
   * answers no call meanwhile, and answers again afterwards. Resolves when the Pleg must have seen the changes.
   */
  changeUnseen?(changes: readonly ContainerChange[], options: { readonly runtimeAway: boolean }): Promise<void>;
  /** Required with `inspects`: inspections of the pod fail, or work again; resolves after another relist. */
  failInspections?(podUid: string, failing: boolean): Promise<void>;
  /** Timers that still run; must be 0 after stop. */
  pendingTimers(): number;
}

/** Every implementation of {@link Pleg} passes this suite; `create` gives a new instance per case. */
export function describePlegContract(
  name: string,
  capabilities: PlegCapabilities,
  create: () => PlegHarness | Promise<PlegHarness>,
): void {
  const itWhen = (able: boolean): typeof it | typeof it.skip => (able ? it : it.skip);

  describe(`${name} as a Pleg`, () => {
    it('can be stopped before it was started, and twice', async () => {
      const { pleg, pendingTimers } = await create();
      expect(() => pleg.healthy()).not.toThrow();
      await pleg.stop();
      await pleg.stop();
      expect(pendingTimers()).toBe(0);
    });

    it('leaves nothing running after stop, and tells nothing more', async () => {
      const harness = await started(create);
      await harness.observe('p', 'c', 'running');
      const before = harness.seen.length;
      await Promise.all([harness.pleg.stop(), harness.pleg.stop()]);
      expect(harness.pendingTimers()).toBe(0);
      await harness.observe('p', 'c', 'exited');
      expect(harness.seen).toHaveLength(before);
    });

    it('tells the start and the death of a container once each', async () => {
      const harness = await started(create);
      await harness.observe('p', 'c', 'running');
      await harness.observe('p', 'c', 'running');
      await harness.observe('p', 'c', 'exited');
      await harness.pleg.stop();
      expect(harness.seen).toEqual([
        { type: 'ContainerStarted', podUid: 'p', containerId: 'c' },
        { type: 'ContainerDied', podUid: 'p', containerId: 'c' },
      ]);
    });

    it('does not tell that a container was created', async () => {
      const harness = await started(create);
      await harness.observe('p', 'c', 'created');
      await harness.pleg.stop();
      expect(harness.seen).toEqual([]);
    });

    it('tells death and removal when a running container vanishes', async () => {
      const harness = await started(create);
      await harness.observe('p', 'c', 'running');
      await harness.observe('p', 'c', 'gone');
      await harness.pleg.stop();
      expect(harness.seen.map(({ type }) => type)).toEqual(['ContainerStarted', 'ContainerDied', 'ContainerRemoved']);
    });

    it('has the status in the cache before it tells the event', async () => {
      const harness = await create();
      const states: (string | undefined)[] = [];
      harness.pleg.watch(({ podUid }) => states.push(harness.cache.get(podUid).containers[0]?.state));
      await harness.pleg.start();
      await harness.observe('p', 'c', 'running');
      await harness.observe('p', 'c', 'exited');
      await harness.pleg.stop();
      expect(states).toEqual(['running', 'exited']);
    });

    it('takes a pod that is gone out of the cache', async () => {
      const harness = await started(create);
      await harness.observe('p', 'c', 'running');
      expect(harness.cache.get('p').containers).toHaveLength(1);
      await harness.observe('p', 'c', 'gone');
      await harness.pleg.stop();
      expect(harness.cache.get('p').containers).toEqual([]);
    });

    it('keeps pods apart and tells every listener until it leaves', async () => {
      const harness = await started(create);
      const second: PodLifecycleEvent[] = [];
      const leave = harness.pleg.watch((event) => second.push(event));
      await harness.observe('p', 'a', 'running');
      leave();
      await harness.observe('q', 'b', 'running');
      await harness.pleg.stop();
      expect(second.map(({ podUid }) => podUid)).toEqual(['p']);
      expect(harness.seen.map(({ podUid }) => podUid)).toEqual(['p', 'q']);
    });

    itWhen(capabilities.relists)('is not healthy before it has seen the runtime, and is after', async () => {
      const { pleg, observe } = await create();
      expect(pleg.healthy()).toEqual({ ok: false, reason: 'pleg has yet to be successful' });
      await pleg.start();
      await observe('p', 'c', 'running');
      expect(pleg.healthy()).toEqual({ ok: true });
      await pleg.stop();
    });

    itWhen(capabilities.inspects)('keeps the events of a pod back until its inspection works', async () => {
      const harness = await started(create);
      await harness.observe('p', 'c', 'running');
      await harness.failInspections?.('p', true);
      await harness.observe('p', 'c', 'exited');
      await harness.observe('q', 'd', 'running');
      expect(harness.seen.map(({ podUid }) => podUid)).toEqual(['p', 'q']);
      expect(() => harness.cache.get('p')).toThrow();
      await harness.failInspections?.('p', false);
      await harness.pleg.stop();
      expect(harness.seen.at(-1)).toEqual({ type: 'ContainerDied', podUid: 'p', containerId: 'c' });
      expect(harness.cache.get('p').containers[0]?.state).toBe('exited');
    });

    itWhen(capabilities.relists).each([
      ['that nobody announces', false],
      ['while the runtime is away', true],
    ])('misses no change and invents none %s', async (_when, runtimeAway) => {
      const harness = await started(create);
      await harness.observe('p', 'first', 'running');
      await harness.observe('q', 'other', 'running');
      const changes: readonly ContainerChange[] = [
        ['p', 'first', 'exited'],
        ['p', 'second', 'running'],
        ['q', 'other', 'gone'],
      ];
      await harness.changeUnseen?.(changes, { runtimeAway });
      expect(harness.cache.get('p').containers.map(({ id, state }) => `${id} ${state}`)).toEqual([
        'first exited',
        'second running',
      ]);
      expect(harness.cache.get('q').containers).toEqual([]);
      await harness.observe('p', 'second', 'exited');
      await harness.pleg.stop();
      const told = (podUid: string): string[] =>
        harness.seen.flatMap((event) =>
          event.podUid === podUid && event.type !== 'PodSync' ? [`${event.type} ${event.containerId}`] : [],
        );
      expect(told('p').sort()).toEqual([
        'ContainerDied first',
        'ContainerDied second',
        'ContainerStarted first',
        'ContainerStarted second',
      ]);
      expect(told('q')).toEqual(['ContainerStarted other', 'ContainerDied other', 'ContainerRemoved other']);
      expect(harness.pendingTimers()).toBe(0);
    });
  });
}

async function started(
  create: () => PlegHarness | Promise<PlegHarness>,
): Promise<PlegHarness & { readonly seen: readonly PodLifecycleEvent[] }> {
  const harness = await create();
  const seen: PodLifecycleEvent[] = [];
  harness.pleg.watch((event) => seen.push(event));
  await harness.pleg.start();
  return { ...harness, seen };
}
