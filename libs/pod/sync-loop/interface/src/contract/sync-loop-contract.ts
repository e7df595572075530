import { describe, expect, it } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import type { Bootstrap, SyncHandler } from '../sync-loop.js';

/** A loop with scripted dependencies: no pods, all sources ready, a healthy runtime. */
export interface SyncLoopHarness {
  readonly bootstrap: Bootstrap;
  readonly handler: SyncHandler;
  /** Delivers a change of pods, as the pod config does. */
  deliver(op: 'ADD' | 'UPDATE' | 'REMOVE' | 'RECONCILE' | 'DELETE', pods: readonly Pod[]): void;
  setSourcesReady(ready: boolean): void;
  /** Sets the runtime errors and notifies their listeners. */
  setRuntimeErrors(errors: readonly string[]): void;
  /** Makes the runtime list a running container of a pod. */
  addRunning(podUid: string): void;
  /** Sets the pod's phase in the status manager. */
  setPhase(podUid: string, phase: string): void;
  /** Reports that a pod is due for its next sync. */
  due(podUid: string): void;
  /** Calls to the pod workers, in order: `create uid`, `kill uid`, or `kill-running uid grace=1` without a spec. */
  readonly updates: readonly string[];
  /** Events so far, such as `Normal Starting`. */
  readonly events: readonly string[];
  /** Advances the clock. */
  advance(ms: number): Promise<void>;
}

const pod = (uid: string): Pod => ({
  metadata: { name: uid, namespace: 'default', uid },
  spec: { containers: [{ name: 'a' }] },
});

const staticPod = (uid: string): Pod => ({
  ...pod(uid),
  metadata: { ...pod(uid).metadata, annotations: { 'kubernetes.io/config.source': 'file' } },
});

/** Every sync loop passes this suite; `create` gives a new one per case. */
export function describeSyncLoopContract(name: string, create: () => Promise<SyncLoopHarness>): void {
  /** Runs the loop during the case and stops it afterwards. */
  async function looping(use: (harness: SyncLoopHarness) => Promise<void>): Promise<void> {
    const harness = await create();
    const stop = new AbortController();
    const loop = harness.bootstrap.run(stop.signal);
    await use(harness);
    stop.abort();
    await harness.advance(0);
    await loop;
  }

  describe(`${name} as a sync loop`, () => {
    it('says that it starts', async () => {
      const { bootstrap, events } = await create();
      bootstrap.birthCry();
      expect(events).toEqual(['Normal Starting']);
    });

    it('hands what the sources say to the workers, in order', () =>
      looping(async ({ deliver, advance, updates }) => {
        deliver('ADD', [pod('a'), pod('b')]);
        deliver('UPDATE', [pod('a')]);
        deliver('DELETE', [pod('b')]);
        deliver('REMOVE', [pod('a')]);
        await advance(0);
        expect(updates).toEqual(['create a', 'create b', 'update a', 'update b', 'kill a']);
      }));

    it('removes nothing before all sources are ready, and no stray containers either', () =>
      looping(async ({ deliver, advance, setSourcesReady, addRunning, updates }) => {
        setSourcesReady(false);
        addRunning('stray');
        deliver('ADD', [pod('a')]);
        deliver('REMOVE', [pod('a')]);
        await advance(60_000);
        expect(updates).toEqual(['create a']);
        setSourcesReady(true);
        await advance(60_000);
        expect(updates).toContain('kill-running stray grace=1');
      }));

    it('ends a static pod that its source no longer has, also before other sources are ready', () =>
      looping(async ({ deliver, advance, setSourcesReady, updates }) => {
        setSourcesReady(false);
        const pods = [staticPod('a'), pod('b')];
        deliver('ADD', pods);
        deliver('REMOVE', pods);
        await advance(60_000);
        expect(updates).toEqual(['create a', 'create b', 'kill a']);
      }));

    it('syncs a pod that is due, as long as it is wanted', () =>
      looping(async ({ deliver, advance, due, updates }) => {
        deliver('ADD', [pod('a')]);
        due('a');
        due('nobody');
        await advance(0);
        expect(updates).toEqual(['create a', 'sync a']);
      }));

    it('waits while the runtime has errors, and then misses nothing', () =>
      looping(async ({ deliver, advance, setRuntimeErrors, updates }) => {
        setRuntimeErrors(['container runtime is down']);
        deliver('ADD', [pod('a')]);
        await advance(60_000);
        deliver('UPDATE', [pod('a')]);
        expect(updates).toEqual([]);
        setRuntimeErrors([]);
        await advance(5_000);
        expect(updates).toEqual(['create a', 'update a']);
      }));

    it('leaves containers alone when it ends', async () => {
      const harness = await create();
      const stop = new AbortController();
      const loop = harness.bootstrap.run(stop.signal);
      harness.deliver('ADD', [pod('a')]);
      await harness.advance(0);
      stop.abort();
      await harness.advance(0);
      await loop;
      harness.deliver('REMOVE', [pod('a')]);
      await harness.advance(60_000);
      expect(harness.updates).toEqual(['create a']);
    });

    it('is healthy while it turns', () =>
      looping(async ({ bootstrap, advance }) => {
        expect(bootstrap.healthy()).toEqual({ ok: true });
        await advance(1_000_000);
        expect(bootstrap.healthy()).toEqual({ ok: true });
      }));

    async function once(
      pods: readonly string[],
      phases: Readonly<Record<string, string>>,
      withinMs: number,
    ): ReturnType<Bootstrap['runOnce']> {
      const { bootstrap, deliver, advance, setPhase, setSourcesReady } = await create();
      setSourcesReady(false);
      const result = bootstrap.runOnce({ timeoutMs: 60_000 });
      deliver('ADD', pods.map(pod));
      await advance(0);
      setSourcesReady(true);
      for (const [uid, phase] of Object.entries(phases)) setPhase(uid, phase);
      await advance(withinMs);
      return result;
    }

    it('runs once: returns when every pod runs or has ended, with what is wrong', async () => {
      const results = await once(['a', 'b', 'c'], { a: 'Running', b: 'Succeeded', c: 'Failed' }, 10_000);
      expect(results.map(({ pod: of, error }) => [of.metadata.uid, error === undefined])).toEqual([
        ['a', true],
        ['b', true],
        ['c', false],
      ]);
    });

    it('runs once: gives up on what does not get ready', async () => {
      expect((await once(['a'], { a: 'Pending' }, 61_000))[0]?.error).toContain('Pending');
    });
  });
}
