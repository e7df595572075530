import { describe, expect, it } from '@podwright/contract';
import type { OfflineKind, OfflineObjects, OfflineRef } from '../offline-objects.js';

/** A new instance, and control over what it depends on. */
export interface OfflineObjectsHarness {
  readonly offlineObjects: OfflineObjects;
  /** Stops the instance and gives the one of the next process, which is not started. */
  readonly restart: () => Promise<OfflineObjects>;
  /** Lets time go by; `away` waits for ten seconds. */
  readonly passTime: (ms: number) => Promise<void>;
}

const ref = (name: string, kind: OfflineKind = 'Secret', namespace = 'default'): OfflineRef => ({
  kind,
  namespace,
  name,
});
const noAnswer = Object.assign(new Error('connect ECONNREFUSED'), { httpStatus: 0, code: 'unavailable' });
const forbidden = Object.assign(new Error('secrets is forbidden'), { httpStatus: 403, code: 'permission-denied' });

/** As an informer that gets no first list: rejects on the signal with the last failure as cause. */
const failingWith =
  (cause: Error) =>
  (signal: AbortSignal): Promise<void> =>
    new Promise((_resolve, reject) => {
      const fail = (): void => reject(new Error('not known yet', { cause }));
      if (signal.aborted) fail();
      else signal.addEventListener('abort', fail);
    });

/** Every implementation of {@link OfflineObjects} passes this suite; `create` gives a new instance per case. */
export function describeOfflineObjectsContract(name: string, create: () => Promise<OfflineObjectsHarness>): void {
  describe(`${name} as an OfflineObjects`, () => {
    async function started(): Promise<OfflineObjectsHarness> {
      const harness = await create();
      await harness.offlineObjects.start();
      return harness;
    }
    const nextOf = async ({ restart }: OfflineObjectsHarness): Promise<OfflineObjects> => {
      const next = await restart();
      await next.start();
      return next;
    };

    it('can be stopped before it was started, and twice', async () => {
      const { offlineObjects } = await create();
      await offlineObjects.stop();
      await offlineObjects.stop();
      expect(await offlineObjects.get(ref('a'))).toBeUndefined();
    });

    it('has nothing at first', async () => {
      const { offlineObjects } = await started();
      expect(await offlineObjects.get(ref('a'))).toBeUndefined();
      expect([await offlineObjects.list('Secret'), offlineObjects.refs('Secret')]).toEqual([[], []]);
      await offlineObjects.stop();
    });

    it('gives what it keeps at once, and in the next process', async () => {
      const harness = await started();
      harness.offlineObjects.keep(ref('a'), { data: { k: 'one' } });
      expect(await harness.offlineObjects.get(ref('a'))).toMatchObject({
        ref: ref('a'),
        object: { data: { k: 'one' } },
      });
      await harness.offlineObjects.flushed();
      const next = await nextOf(harness);
      const copy = await next.get(ref('a'));
      expect(copy).toMatchObject({ ref: ref('a'), object: { data: { k: 'one' } } });
      expect(copy?.savedAtMs).toBeGreaterThan(0);
      await next.stop();
    });

    it('keeps the newest content, taken when it is written', async () => {
      const harness = await started();
      let content = 'two';
      harness.offlineObjects.keep(ref('a'), { content: 'one' });
      await harness.offlineObjects.flushed();
      harness.offlineObjects.keep(ref('a'), { content: 'never' });
      harness.offlineObjects.keep(ref('a'), () => ({ content }));
      content = 'three';
      const next = await nextOf(harness);
      expect((await next.get(ref('a')))?.object).toEqual({ content: 'three' });
      await next.stop();
    });

    it('forgets at once, and in the next process', async () => {
      const harness = await started();
      for (const name of ['a', 'b']) harness.offlineObjects.keep(ref(name), {});
      await harness.offlineObjects.flushed();
      harness.offlineObjects.forget(ref('a'));
      harness.offlineObjects.forget(ref('never kept'));
      expect(await harness.offlineObjects.get(ref('a'))).toBeUndefined();
      expect(harness.offlineObjects.refs('Secret')).toEqual([ref('b')]);
      const next = await nextOf(harness);
      expect(await next.get(ref('a'))).toBeUndefined();
      expect((await next.list('Secret')).map((copy) => copy.ref)).toEqual([ref('b')]);
      await next.stop();
    });

    it('tells objects apart by kind, namespace and name, and lists one kind in order', async () => {
      const harness = await started();
      const refs = [ref('b'), ref('a'), ref('a', 'Secret', 'other'), ref('a', 'ConfigMap'), ref('../a', 'Secret', '')];
      for (const each of refs) harness.offlineObjects.keep(each, { of: each });
      const next = await nextOf(harness);
      for (const each of refs) expect((await next.get(each))?.object).toEqual({ of: each });
      const expected = [ref('../a', 'Secret', ''), ref('a'), ref('b'), ref('a', 'Secret', 'other')];
      expect((await next.list('Secret')).map((copy) => copy.ref)).toEqual(expected);
      expect(next.refs('Secret')).toEqual(expected);
      expect(next.refs('ConfigMap')).toEqual([ref('a', 'ConfigMap')]);
      await next.stop();
    });

    it('bears use of what it has forgotten, and twice', async () => {
      const { offlineObjects } = await started();
      offlineObjects.keep(ref('a'), {});
      const copies = await offlineObjects.list('Secret');
      expect(copies).toHaveLength(1);
      offlineObjects.use(copies);
      offlineObjects.use(copies);
      offlineObjects.forget(ref('a'));
      offlineObjects.use(copies);
      expect(offlineObjects.refs('Secret')).toEqual([]);
      await offlineObjects.stop();
    });

    it('knows that the server is away when there is no answer for a while', async () => {
      const { offlineObjects, passTime } = await started();
      const stopping = new AbortController();
      let away: boolean | undefined;
      void offlineObjects.away(failingWith(noAnswer), stopping.signal).then((is) => (away = is));
      await passTime(9_000);
      expect(away).toBeUndefined();
      await passTime(3_000);
      expect(away).toBe(true);
      await offlineObjects.stop();
    });

    it('does not take a refusal for absence, nor an answer that comes late', async () => {
      const { offlineObjects, passTime } = await started();
      const stopping = new AbortController();
      let asked = 0;
      let away: boolean | undefined;
      const late = (signal: AbortSignal): Promise<void> =>
        ++asked < 3 ? failingWith(forbidden)(signal) : Promise.resolve();
      void offlineObjects.away(late, stopping.signal).then((is) => (away = is));
      await passTime(10_500);
      expect([away, asked > 1]).toEqual([undefined, true]);
      await passTime(30_000);
      expect([away, asked]).toEqual([false, 3]);
      await offlineObjects.stop();
    });

    it('stops to wait for an answer at the signal', async () => {
      const { offlineObjects, passTime } = await started();
      const stopping = new AbortController();
      let away: boolean | undefined;
      void offlineObjects.away(failingWith(noAnswer), stopping.signal).then((is) => (away = is));
      await passTime(1_000);
      stopping.abort();
      await passTime(0);
      expect(away).toBe(false);
      await offlineObjects.stop();
    });
  });
}
