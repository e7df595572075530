import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { describeSyncLoopContract } from '@podwright/sync-loop-interface/contract';
import { refusingAllocations } from './fixtures/fake-allocations.js';
import { createWorld, defaults, type World } from './fixtures/world.js';

describeSyncLoopContract('SyncLoop', async () => createWorld());

const pod = (uid: string): Pod => ({
  metadata: { name: uid, namespace: 'default', uid },
  spec: { containers: [{ name: 'a' }] },
});

async function looping(use: (world: World) => Promise<void>, world = createWorld()): Promise<void> {
  const stop = new AbortController();
  const loop = world.bootstrap.run(stop.signal);
  await world.advance(0);
  await use(world);
  stop.abort();
  await world.advance(0);
  await loop;
  expect(world.clock.pendingTimers).toBe(0);
}

describe('SyncLoop', () => {
  it('marks a source as seen after its update was handled', () =>
    looping(async ({ deliver, advance, steps }) => {
      steps.length = 0;
      deliver('ADD', [pod('a')]);
      await advance(0);
      expect(steps).toEqual(['add a', 'create a', 'seen file']);
    }));

  it('counts the pleg among the conditions of the runtime while it runs', async () => {
    const world = createWorld();
    await looping(async ({ steps }) => expect(steps).toContain('health check PLEG'), world);
    expect(world.steps.at(-1)).toBe('no health check PLEG');
  });

  it.each([
    ['ContainerStarted', ['sync a']],
    ['ContainerChanged', ['sync a']],
    ['ContainerRemoved', []],
    ['ContainerDied', ['sync a', 'gc a {"exitedContainerId":"c"}']],
  ] as const)('acts on %s', (type, expected) =>
    looping(async ({ deliver, pleg, advance, steps }) => {
      deliver('ADD', [pod('a')]);
      await advance(0);
      steps.length = 0;
      pleg({ type, podUid: 'a', containerId: 'c' });
      await advance(0);
      expect(steps).toEqual(expected);
    }),
  );

  it.each([
    ['liveness', 'failure', ['sync a']],
    ['liveness', 'success', []],
    ['readiness', 'success', ['sync a']],
    ['readiness', 'failure', ['sync a']],
    ['startup', 'success', ['sync a']],
  ] as const)('acts on a %s %s', (kind, result, expected) =>
    looping(async ({ deliver, probe, advance, steps }) => {
      deliver('ADD', [pod('a')]);
      await advance(0);
      steps.length = 0;
      probe({ kind, result, podUid: 'a', containerId: 'c' });
      await advance(0);
      expect(steps).toEqual(expected);
    }),
  );

  it('cleans up at once and then every two seconds', () =>
    looping(async ({ advance, steps }) => {
      const passes = () => steps.filter((step) => step.startsWith('syncKnownPods')).length;
      expect(passes()).toBe(1);
      await advance(10_000);
      expect(passes()).toBe(6);
    }));

  describe('with a broken runtime', () => {
    it('says so once, looks again after growing pauses, and goes on at the moment it is well', () =>
      looping(async (world) => {
        world.setRuntimeErrors(['PLEG is not healthy']);
        world.deliver('ADD', [pod('a')]);
        await world.advance(20_000);
        expect(world.logger.messages('error')).toEqual(['Skipping pod synchronization']);
        expect(world.updates).toEqual([]);
        world.setRuntimeErrors([]);
        await world.advance(0);
        expect(world.updates).toEqual(['create a']);
        expect(world.journal.decisions).toMatchObject([
          { kind: 'sync.paused', errors: ['PLEG is not healthy'] },
          { kind: 'sync.resumed', pausedMs: 20_000 },
        ]);
      }));

    it('handles nothing that was received just before it broke', () =>
      looping(async (world) => {
        await world.advance(1_000); // the loop sits idle
        world.setRuntimeErrors(['gone']);
        world.due('a');
        world.deliver('ADD', [pod('a')]);
        await world.advance(1_000);
        expect(world.updates).toEqual([]);
      }));

    it('is unhealthy after the time limit, and well again with the runtime', () =>
      looping(async (world) => {
        world.setRuntimeErrors(['gone']);
        await world.advance(defaults.stalledAfterMs + 2_001);
        expect(world.bootstrap.healthy()).toEqual({ ok: false, reason: 'sync Loop took longer than expected' });
        world.setRuntimeErrors([]);
        await world.advance(0);
        expect(world.bootstrap.healthy()).toEqual({ ok: true });
      }));

    it('drops pleg events over 1000, but no config update and no pod that is due', () =>
      looping(async (world) => {
        world.setRuntimeErrors(['gone']);
        world.deliver('ADD', [pod('a'), pod('b')]);
        for (let index = 0; index < 1_500; index += 1) world.pleg({ type: 'PodSync', podUid: 'a' });
        for (let index = 0; index < 1_500; index += 1) world.deliver('UPDATE', [pod('b')]);
        for (let index = 0; index < 3; index += 1) world.due('b');
        world.setRuntimeErrors([]);
        await world.advance(10_000);
        const count = (line: string) => world.updates.filter((update) => update === line).length;
        expect(count('sync a')).toBe(1000);
        expect(count('update b')).toBe(1500);
        expect(count('sync b')).toBe(1);
        expect(world.logger.messages('error')).toContain('Event channel is full, discard this relist() cycle event');
        world.pleg({ type: 'PodSync', podUid: 'a' });
        world.due('b');
        await world.advance(0);
        expect(count('sync a')).toBe(1001);
        expect(count('sync b')).toBe(2);
      }));
  });

  it('ends with the error of a handler', async () => {
    const world = createWorld(() => ({ allocations: refusingAllocations(new Error('bug')) }));
    const loop = world.bootstrap.run(new AbortController().signal);
    const failed = expect(loop).rejects.toThrow('bug');
    world.deliver('ADD', [pod('a')]);
    await world.advance(2_000);
    await failed;
  });
});

describe('runOnce', () => {
  it('rejects when a source does not answer', async () => {
    const world = createWorld();
    world.setSourcesReady(false);
    const failed = expect(world.bootstrap.runOnce({ timeoutMs: 1_000 })).rejects.toMatchObject({
      code: 'deadline-exceeded',
    });
    await world.advance(1_100);
    await failed;
    expect(world.clock.pendingTimers).toBe(0);
  });

  it('returns at once for sources without pods', async () => {
    const world = createWorld();
    const result = world.bootstrap.runOnce({ timeoutMs: 60_000 });
    await world.advance(0);
    await expect(result).resolves.toEqual([]);
  });

  it('says what a pod waits for', async () => {
    const world = createWorld();
    world.setSourcesReady(false);
    const result = world.bootstrap.runOnce({ timeoutMs: 1_000 });
    world.deliver('ADD', [pod('a')]);
    await world.advance(0);
    world.setSourcesReady(true);
    const waiting = { reason: 'ErrImagePull', message: 'no such image' };
    world.statuses.set('a', {
      phase: 'Pending',
      containerStatuses: [{ name: 'app', ready: false, restartCount: 0, image: '', imageID: '', state: { waiting } }],
    });
    await world.advance(1_100);
    expect((await result)[0]?.error).toBe('phase Pending; app: ErrImagePull no such image');
  });

  it('ends with the error of the loop and leaves no timer', async () => {
    const world = createWorld(() => ({ allocations: refusingAllocations(new Error('bug')) }));
    world.setSourcesReady(false);
    const failed = expect(world.bootstrap.runOnce({ timeoutMs: 60_000 })).rejects.toThrow('bug');
    world.deliver('ADD', [pod('a')]);
    await world.advance(2_000);
    await failed;
    expect(world.clock.pendingTimers).toBe(0);
  });
});
