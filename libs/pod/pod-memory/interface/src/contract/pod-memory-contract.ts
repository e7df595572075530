import { describe, expect, it } from '@jest/globals';
import type { PodMemory, PodMemoryPart } from '../pod-memory.js';

/** One fresh instance, started, and the means to end its process. */
export interface PodMemoryHarness {
  readonly podMemory: PodMemory;
  /** Kill -9: the instance is left as it is, and another one is started on what it has written. */
  kill(): Promise<PodMemory>;
}

interface Count {
  readonly count: number;
}

const countPart = (name: string): PodMemoryPart<Count> => ({
  name,
  decode: (json) =>
    typeof json === 'object' && json !== null && 'count' in json && typeof json.count === 'number'
      ? { count: json.count }
      : undefined,
});

const probes = countPart('probes');
const hooks = countPart('hooks');
const textPart: PodMemoryPart<string> = {
  name: 'text',
  decode: (json) => (typeof json === 'string' ? json : undefined),
};

/** Every implementation of {@link PodMemory} passes this suite; `create` gives a new instance per case. */
export function describePodMemoryContract(name: string, create: () => Promise<PodMemoryHarness>): void {
  describe(`${name} as a PodMemory`, () => {
    it('knows nothing at first', async () => {
      const { podMemory } = await create();
      expect(podMemory.recall('uid', probes)).toBeUndefined();
      expect(podMemory.podUids()).toEqual([]);
      await podMemory.stop();
    });

    it('recalls at once what it keeps, and after a kill what it has promised', async () => {
      const { podMemory, kill } = await create();
      const kept = podMemory.keep('uid', probes, { count: 1 });
      expect(podMemory.recall('uid', probes)).toEqual({ count: 1 });
      expect(podMemory.podUids()).toEqual(['uid']);
      await kept;
      const next = await kill();
      expect(next.recall('uid', probes)).toEqual({ count: 1 });
      expect(next.podUids()).toEqual(['uid']);
      await next.stop();
    });

    it('keeps the parts of a pod, and the pods, apart', async () => {
      const { podMemory, kill } = await create();
      await Promise.all([
        podMemory.keep('a', probes, { count: 1 }),
        podMemory.keep('a', hooks, { count: 2 }),
        podMemory.keep('b', probes, { count: 3 }),
      ]);
      await podMemory.keep('a', probes, undefined);
      const next = await kill();
      const all = [next.recall('a', probes), next.recall('a', hooks), next.recall('b', probes)];
      expect(all).toEqual([undefined, { count: 2 }, { count: 3 }]);
      expect([...next.podUids()].sort()).toEqual(['a', 'b']);
      await next.stop();
    });

    it('lets the last of many calls win, and fulfils each of them', async () => {
      const { podMemory, kill } = await create();
      const calls: Promise<void>[] = [];
      for (let count = 1; count <= 50; count++) {
        calls.push(podMemory.keep('uid', probes, { count }));
        if (count % 10 === 0) await Promise.resolve();
      }
      await Promise.all(calls);
      const next = await kill();
      expect(next.recall('uid', probes)).toEqual({ count: 50 });
      await next.stop();
    });

    it('fulfils a call for what is being written by another one only when it is written', async () => {
      const { podMemory, kill } = await create();
      void podMemory.keep('uid', probes, { count: 1 });
      await podMemory.keep('uid', probes, { count: 1 });
      const next = await kill();
      expect(next.recall('uid', probes)).toEqual({ count: 1 });
      await next.stop();
    });

    it('has no memory of a pod whose last part is gone', async () => {
      const { podMemory, kill } = await create();
      await podMemory.keep('uid', probes, { count: 1 });
      await podMemory.keep('uid', probes, undefined);
      expect(podMemory.podUids()).toEqual([]);
      expect((await kill()).podUids()).toEqual([]);
    });

    it('forgets a pod at once and for good', async () => {
      const { podMemory, kill } = await create();
      await podMemory.keep('uid', probes, { count: 1 });
      const last = podMemory.keep('uid', hooks, { count: 1 });
      const forgotten = podMemory.forget('uid');
      expect(podMemory.recall('uid', probes)).toBeUndefined();
      expect(podMemory.podUids()).toEqual([]);
      await Promise.all([last, forgotten, podMemory.forget('never seen')]);
      expect((await kill()).podUids()).toEqual([]);
    });

    it('keeps anew what comes after it was told to forget', async () => {
      const { podMemory, kill } = await create();
      await podMemory.keep('uid', probes, { count: 1 });
      const forgotten = podMemory.forget('uid');
      await podMemory.keep('uid', hooks, { count: 2 });
      await forgotten;
      const next = await kill();
      expect([next.recall('uid', probes), next.recall('uid', hooks)]).toEqual([undefined, { count: 2 }]);
    });

    it.each<[string, PodMemoryPart<unknown>]>([
      ['refuses', { name: 'probes', decode: () => undefined }],
      [
        'throws',
        {
          name: 'probes',
          decode: () => {
            throw new Error('not mine');
          },
        },
      ],
    ])('has none of a part whose owner %s what was kept, and all of the others', async (_name, part) => {
      const { podMemory } = await create();
      await podMemory.keep('uid', probes, { count: 1 });
      await podMemory.keep('uid', hooks, { count: 2 });
      expect(podMemory.recall('uid', part)).toBeUndefined();
      expect(podMemory.recall('uid', hooks)).toEqual({ count: 2 });
      await podMemory.stop();
    });

    it('keeps values, not objects', async () => {
      const { podMemory } = await create();
      const value = { count: 1 };
      const kept = podMemory.keep('uid', probes, value);
      value.count = 2;
      await kept;
      expect(podMemory.recall('uid', probes)).toEqual({ count: 1 });
      await podMemory.stop();
    });

    it.each(['../../escape', '.hidden', 'a b%2Fc', 'ünï', '..'])('takes the UID %j, and any text', async (uid) => {
      const { podMemory, kill } = await create();
      await podMemory.keep(uid, textPart, 'line\n"quoted" \u2028 __proto__');
      const next = await kill();
      expect(next.recall(uid, textPart)).toBe('line\n"quoted" \u2028 __proto__');
      expect(next.podUids()).toEqual([uid]);
      await next.forget(uid);
      expect((await kill()).podUids()).toEqual([]);
    });

    it('can be stopped twice, and has then written everything', async () => {
      const { podMemory, kill } = await create();
      void podMemory.keep('uid', probes, { count: 1 });
      await podMemory.stop();
      await podMemory.stop();
      expect((await kill()).recall('uid', probes)).toEqual({ count: 1 });
    });
  });
}
