import { describe, expect, it } from '@podwright/contract';
import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { PodCache, PodCacheWriter } from '../pod-cache.js';

/** One fresh cache; `cache` and `writer` may be the same object. */
export interface PodCacheHarness {
  readonly cache: PodCache;
  readonly writer: PodCacheWriter;
}

/** Every implementation of {@link PodCache} passes this suite; `create` gives a new instance per case. */
export function describePodCacheContract(name: string, create: () => PodCacheHarness | Promise<PodCacheHarness>): void {
  describe(`${name} as a PodCache`, () => {
    it('gives an empty status for a pod that nobody wrote', async () => {
      const { cache } = await create();
      expect(cache.get('p')).toEqual({ uid: 'p', name: '', namespace: '', ips: [], containers: [], sandboxes: [] });
    });

    it('gives what was written, and the error when an inspection failed', async () => {
      const { cache, writer } = await create();
      writer.set('p', { status: statusOf('p', '10.0.0.1') }, 10);
      expect(cache.get('p').ips).toEqual(['10.0.0.1']);
      writer.set('p', { error: new Error('runtime is gone') }, 20);
      expect(() => cache.get('p')).toThrow('runtime is gone');
      await expect(cache.getNewerThan('p', 15, never())).rejects.toThrow('runtime is gone');
    });

    it('ignores an observation older than the one it has', async () => {
      const { cache, writer } = await create();
      writer.set('p', { status: statusOf('p', 'new') }, 20);
      writer.set('p', { status: statusOf('p', 'old') }, 10);
      expect(cache.get('p').ips).toEqual(['new']);
    });

    it('forgets a deleted pod', async () => {
      const { cache, writer } = await create();
      writer.set('p', { status: statusOf('p', 'a') }, 10);
      writer.delete('p');
      expect(cache.get('p').ips).toEqual([]);
    });

    it('waits for an observation after the given time, not at it', async () => {
      const { cache, writer } = await create();
      const waiting = outcomeOf(cache.getNewerThan('p', 10, never()));
      writer.set('p', { status: statusOf('p', 'at') }, 10);
      expect(await settled(waiting)).toBe(false);
      writer.set('p', { status: statusOf('p', 'after') }, 11);
      expect((await waiting.promise).ips).toEqual(['after']);
    });

    it('takes the time of the whole cache for pods that were not written', async () => {
      const { cache, writer } = await create();
      writer.set('known', { status: statusOf('known', 'a') }, 5);
      const known = outcomeOf(cache.getNewerThan('known', 10, never()));
      const unknown = outcomeOf(cache.getNewerThan('unknown', 10, never()));
      writer.advance(10);
      expect(await settled(known)).toBe(false);
      writer.advance(12);
      expect((await known.promise).ips).toEqual(['a']);
      expect((await unknown.promise).uid).toBe('unknown');
    });

    it('does not call a pod fresh whose inspection is due', async () => {
      const { cache, writer } = await create();
      writer.set('p', { status: statusOf('p', 'a') }, 5);
      writer.advance(10);
      writer.advance(20, new Set(['p']));
      await expect(cache.getNewerThan('p', 9, never())).resolves.toMatchObject({ ips: ['a'] });
      const waiting = outcomeOf(cache.getNewerThan('p', 15, never()));
      writer.advance(30, new Set(['p', 'q']));
      expect(await settled(waiting)).toBe(false);
      writer.set('p', { status: statusOf('p', 'b') }, 30);
      expect((await waiting.promise).ips).toEqual(['b']);
      writer.advance(40);
      await expect(cache.getNewerThan('p', 39, never())).resolves.toMatchObject({ ips: ['b'] });
    });

    it('takes a confirmation as a new observation of the same status', async () => {
      const { cache, writer } = await create();
      writer.set('p', { status: statusOf('p', 'a') }, 5);
      const waiting = outcomeOf(cache.getNewerThan('p', 10, never()));
      writer.confirm('p', 11);
      expect((await waiting.promise).ips).toEqual(['a']);
      writer.confirm('unknown', 11);
      expect(await settled(outcomeOf(cache.getNewerThan('unknown', 5, never())))).toBe(false);
    });

    it('answers who waits for a pod that was seen to be absent', async () => {
      const { cache, writer } = await create();
      writer.advance(5);
      const waiting = outcomeOf(cache.getNewerThan('absent', 10, never()));
      writer.confirm('absent', 10);
      expect(await settled(waiting)).toBe(false);
      writer.confirm('absent', 11);
      expect(await waiting.promise).toMatchObject({ uid: 'absent', containers: [] });
    });

    it('waits for the first write even when any time will do', async () => {
      const { cache, writer } = await create();
      const waiting = outcomeOf(cache.getNewerThan('p', Number.NEGATIVE_INFINITY, never()));
      expect(await settled(waiting)).toBe(false);
      writer.advance(0);
      expect((await waiting.promise).uid).toBe('p');
    });

    it('ends a wait with the reason of the signal', async () => {
      const { cache } = await create();
      const controller = new AbortController();
      const waiting = cache.getNewerThan('p', 0, controller.signal);
      controller.abort(new Error('no longer needed'));
      await expect(waiting).rejects.toThrow('no longer needed');
      await expect(cache.getNewerThan('p', 0, controller.signal)).rejects.toThrow('no longer needed');
    });
  });
}

function statusOf(uid: string, ip: string): RuntimePodStatus {
  return { uid, name: 'web', namespace: 'default', ips: [ip], containers: [], sandboxes: [] };
}

const never = (): AbortSignal => new AbortController().signal;

interface Outcome {
  readonly promise: Promise<RuntimePodStatus>;
  done: boolean;
}

function outcomeOf(promise: Promise<RuntimePodStatus>): Outcome {
  const outcome: Outcome = { promise, done: false };
  promise.then(
    () => (outcome.done = true),
    () => undefined,
  );
  return outcome;
}

async function settled(outcome: Outcome): Promise<boolean> {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  return outcome.done;
}
