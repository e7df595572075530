import { describe, expect, it } from '@podwright/contract';
import type { SetUpWorkers } from './contract-workers.js';
import { makePod } from './pod-fixtures.js';

export function requeueCases(setUp: SetUpWorkers): void {
  describe('work queue', () => {
    it('reports each pod once, at the earliest time asked for', async () => {
      const { queue, environment } = await setUp();
      const due: string[] = [];
      for (const delayMs of [900, 300, 600]) queue.enqueue('a', delayMs);
      queue.enqueue('b', 100);
      const unwatch = queue.watch((uid) => due.push(`${uid} ${environment.clock.monotonic()}`));
      await environment.clock.advance(2_000);
      unwatch();
      queue.enqueue('a', 0);
      await environment.clock.advance(2_000);
      expect(due).toEqual(['b 100', 'a 300']);
    });

    it('takes the time after the latest sync, beside the one that others asked for', async () => {
      const { queue, environment } = await setUp();
      const due: string[] = [];
      queue.watch((uid) => due.push(`${uid} ${environment.clock.monotonic()}`));
      queue.requeue('a', 300);
      queue.enqueue('a', 600);
      queue.requeue('a', 900);
      await environment.clock.advance(2_000);
      expect(due).toEqual(['a 600', 'a 900']);
    });
  });

  describe('requeue', () => {
    it.each<[string, Error | undefined, number, number]>([
      ['a success', undefined, 60_000, 90_000],
      ['an error', new Error('broken'), 10_000, 15_000],
      ['a network that is not ready', new Error('network is not ready: cni'), 1_000, 1_500],
    ])('after %s', async (_what, error, fromMs, toMs) => {
      const { workers, environment, queue } = await setUp();
      environment.onCall = async () => (error === undefined ? { terminal: false } : Promise.reject(error));
      const due: string[] = [];
      const unwatch = queue.watch((uid) => due.push(uid));
      workers.updatePod({ type: 'create', pod: makePod('a') });
      await environment.clock.advance(fromMs - 1);
      expect(due).toEqual([]);
      await environment.clock.advance(toMs - fromMs + 1);
      expect(due).toEqual(['a']);
      unwatch();
    });

    it('after the later of two syncs, whatever the one before it asked for', async () => {
      const { workers, environment, queue } = await setUp();
      let error: Error | undefined = new Error('broken');
      environment.onCall = async () => (error === undefined ? { terminal: false } : Promise.reject(error));
      const due: string[] = [];
      queue.watch((uid) => due.push(uid));
      workers.updatePod({ type: 'create', pod: makePod('a') });
      await environment.clock.advance(1_000);
      error = undefined;
      workers.updatePod({ type: 'sync', pod: makePod('a') });
      await environment.clock.advance(60_000);
      expect(due).toEqual([]);
      await environment.clock.advance(31_000);
      expect(due).toEqual(['a']);
    });

    it.each<[number, number, number]>([
      [40_000, 40_000, 60_000],
      [300_000, 60_000, 90_000],
      [-5_000, 0, 1],
    ])('at the end of a container’s back-off in %d ms', async (inMs, fromMs, toMs) => {
      const { workers, environment, queue } = await setUp();
      const backOffUntilMs = environment.clock.now() + inMs;
      environment.onCall = async () => Promise.reject(Object.assign(new Error('CrashLoopBackOff'), { backOffUntilMs }));
      const due: string[] = [];
      const unwatch = queue.watch((uid) => due.push(uid));
      workers.updatePod({ type: 'create', pod: makePod('a') });
      if (fromMs > 0) await environment.clock.advance(fromMs - 1);
      expect(due).toEqual([]);
      await environment.clock.advance(toMs - fromMs + 1);
      expect(due).toEqual(['a']);
      unwatch();
    });
  });
}
