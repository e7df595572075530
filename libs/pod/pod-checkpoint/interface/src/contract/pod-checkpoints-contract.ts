import { describe, expect, it } from '@podwright/contract';
import type { PodCheckpoints, PodCheckpointPart } from '../pod-checkpoints.js';

/** One fresh instance, started, and the means to kill its process. */
export interface PodCheckpointsHarness {
  readonly podCheckpoints: PodCheckpoints;
  /** Acts like kill -9: abandons the instance and starts another one on what it has written. */
  kill(): Promise<PodCheckpoints>;
}

interface Count {
  readonly count: number;
}

const countPart = (name: string): PodCheckpointPart<Count> => ({
  name,
  decode: (json) =>
    typeof json === 'object' && json !== null && 'count' in json && typeof json.count === 'number'
      ? { count: json.count }
      : undefined,
});

const probes = countPart('probes');
const hooks = countPart('hooks');
const textPart: PodCheckpointPart<string> = {
  name: 'text',
  decode: (json) => (typeof json === 'string' ? json : undefined),
};

/** Every implementation of {@link PodCheckpoints} passes this suite; `create` gives a new instance per case. */
export function describePodCheckpointsContract(name: string, create: () => Promise<PodCheckpointsHarness>): void {
  describe(`${name} as a PodCheckpoints`, () => {
    it('knows nothing at first', async () => {
      const { podCheckpoints } = await create();
      expect(podCheckpoints.read('uid', probes)).toBeUndefined();
      expect(podCheckpoints.podUids()).toEqual([]);
      await podCheckpoints.stop();
    });

    it('reads at once what was written, and after a kill what it has promised', async () => {
      const { podCheckpoints, kill } = await create();
      const kept = podCheckpoints.write('uid', probes, { count: 1 });
      expect(podCheckpoints.read('uid', probes)).toEqual({ count: 1 });
      expect(podCheckpoints.podUids()).toEqual(['uid']);
      await kept;
      const next = await kill();
      expect(next.read('uid', probes)).toEqual({ count: 1 });
      expect(next.podUids()).toEqual(['uid']);
      await next.stop();
    });

    it('keeps the parts of a pod, and the pods, apart', async () => {
      const { podCheckpoints, kill } = await create();
      await Promise.all([
        podCheckpoints.write('a', probes, { count: 1 }),
        podCheckpoints.write('a', hooks, { count: 2 }),
        podCheckpoints.write('b', probes, { count: 3 }),
      ]);
      await podCheckpoints.write('a', probes, undefined);
      const next = await kill();
      const all = [next.read('a', probes), next.read('a', hooks), next.read('b', probes)];
      expect(all).toEqual([undefined, { count: 2 }, { count: 3 }]);
      expect([...next.podUids()].sort()).toEqual(['a', 'b']);
      await next.stop();
    });

    it('lets the last of many calls win, and fulfils each of them', async () => {
      const { podCheckpoints, kill } = await create();
      const calls: Promise<void>[] = [];
      for (let count = 1; count <= 50; count++) {
        calls.push(podCheckpoints.write('uid', probes, { count }));
        if (count % 10 === 0) await Promise.resolve();
      }
      await Promise.all(calls);
      const next = await kill();
      expect(next.read('uid', probes)).toEqual({ count: 50 });
      await next.stop();
    });

    it('fulfils a call for what is being written by another one only when it is written', async () => {
      const { podCheckpoints, kill } = await create();
      void podCheckpoints.write('uid', probes, { count: 1 });
      await podCheckpoints.write('uid', probes, { count: 1 });
      const next = await kill();
      expect(next.read('uid', probes)).toEqual({ count: 1 });
      await next.stop();
    });

    it('has no checkpoint of a pod whose last part is gone', async () => {
      const { podCheckpoints, kill } = await create();
      await podCheckpoints.write('uid', probes, { count: 1 });
      await podCheckpoints.write('uid', probes, undefined);
      expect(podCheckpoints.podUids()).toEqual([]);
      expect((await kill()).podUids()).toEqual([]);
    });

    it('forgets a pod at once and for good', async () => {
      const { podCheckpoints, kill } = await create();
      await podCheckpoints.write('uid', probes, { count: 1 });
      const last = podCheckpoints.write('uid', hooks, { count: 1 });
      const forgotten = podCheckpoints.remove('uid');
      expect(podCheckpoints.read('uid', probes)).toBeUndefined();
      expect(podCheckpoints.podUids()).toEqual([]);
      await Promise.all([last, forgotten, podCheckpoints.remove('never seen')]);
      expect((await kill()).podUids()).toEqual([]);
    });

    it('keeps anew what comes after it was told to forget', async () => {
      const { podCheckpoints, kill } = await create();
      await podCheckpoints.write('uid', probes, { count: 1 });
      const forgotten = podCheckpoints.remove('uid');
      await podCheckpoints.write('uid', hooks, { count: 2 });
      await forgotten;
      const next = await kill();
      expect([next.read('uid', probes), next.read('uid', hooks)]).toEqual([undefined, { count: 2 }]);
    });

    it.each<[string, PodCheckpointPart<unknown>]>([
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
      const { podCheckpoints } = await create();
      await podCheckpoints.write('uid', probes, { count: 1 });
      await podCheckpoints.write('uid', hooks, { count: 2 });
      expect(podCheckpoints.read('uid', part)).toBeUndefined();
      expect(podCheckpoints.read('uid', hooks)).toEqual({ count: 2 });
      await podCheckpoints.stop();
    });

    it('keeps values, not objects', async () => {
      const { podCheckpoints } = await create();
      const value = { count: 1 };
      const kept = podCheckpoints.write('uid', probes, value);
      value.count = 2;
      await kept;
      expect(podCheckpoints.read('uid', probes)).toEqual({ count: 1 });
      await podCheckpoints.stop();
    });

    it.each(['../../escape', '.hidden', 'a b%2Fc', 'ünï', '..'])('takes the UID %j, and any text', async (uid) => {
      const { podCheckpoints, kill } = await create();
      await podCheckpoints.write(uid, textPart, 'line\n"quoted" \u2028 __proto__');
      const next = await kill();
      expect(next.read(uid, textPart)).toBe('line\n"quoted" \u2028 __proto__');
      expect(next.podUids()).toEqual([uid]);
      await next.remove(uid);
      expect((await kill()).podUids()).toEqual([]);
    });

    it('can be stopped twice, and has then written everything', async () => {
      const { podCheckpoints, kill } = await create();
      void podCheckpoints.write('uid', probes, { count: 1 });
      await podCheckpoints.stop();
      await podCheckpoints.stop();
      expect((await kill()).read('uid', probes)).toEqual({ count: 1 });
    });
  });
}
