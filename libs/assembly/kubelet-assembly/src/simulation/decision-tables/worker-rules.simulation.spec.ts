import { afterEach, describe, expect, it } from '@jest/globals';
import { POD_WORKERS, type KillPodOptions } from '@podwright/pod-workers-interface';
import { PodScene, container, type PodParts } from './pod-scene.js';
import { openRemains } from './pod-remains.js';

const deleted = (deletionGracePeriodSeconds: number): PodParts => ({
  metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds },
});
const stubborn = { onStop: 'ignore' } as const;

describe('the pod worker', () => {
  let scene: PodScene;
  afterEach(() => scene.close());
  const running = async (spec = {}): Promise<void> => {
    scene = await PodScene.open();
    scene.want({ terminationGracePeriodSeconds: 40, ...spec });
    await scene.ready();
    scene.forget();
  };
  const kill = (options: KillPodOptions): Promise<void> => scene.node.part(POD_WORKERS).killPodNow(scene.pod, options);
  const stops = (): readonly string[] => scene.story().filter((step) => step.startsWith('stop main'));

  describe('termination is requested when', () => {
    interface Row {
      readonly row: string;
      readonly end: () => void;
      readonly stop: string;
    }
    const spec = { terminationGracePeriodSeconds: 40 };
    // A status alone would be a RECONCILE, which the worker does not hear of.
    const ended = (phase: 'Failed' | 'Succeeded'): PodParts => ({
      metadata: { labels: { a: 'b' } },
      status: { phase },
    });
    const rows: readonly Row[] = [
      { row: 'deletionTimestamp != nil', end: () => void scene.want(spec, deleted(25)), stop: 'stop main 25' },
      {
        row: 'API phase Failed',
        end: () => void scene.want(spec, ended('Failed')),
        stop: 'stop main 40',
      },
      {
        row: 'API phase Succeeded',
        end: () => void scene.want(spec, ended('Succeeded')),
        stop: 'stop main 40',
      },
      { row: 'update type Kill (removed from the source)', end: () => scene.node.want(), stop: 'stop main 40' },
      {
        row: 'update type Kill (evicted)',
        end: () => void kill({ evict: true, gracePeriodSeconds: 3 }),
        stop: 'stop main 3',
      },
      {
        row: 'SyncPod reports terminal (deadline): no override, base grace',
        end: () => void scene.want({ ...spec, activeDeadlineSeconds: 1 }),
        stop: 'stop main 40',
      },
    ];
    it.each(rows)('$row', async ({ end, stop }) => {
      await running();
      end();
      await scene.pass(6_000);
      expect(stops()).toEqual([stop]);
      expect(scene.node.isStopped(scene.pod)).toBe(true);
    });

    it('no API phase, no deletion, no kill: it runs on', async () => {
      await running();
      scene.want({ terminationGracePeriodSeconds: 40 }, { metadata: { labels: { a: 'b' } } });
      await scene.pass(6_000);
      expect(scene.story()).toEqual([]);
    });
  });

  describe('grace period', () => {
    interface Row {
      readonly row: string;
      readonly delete?: number;
      readonly kill?: KillPodOptions;
      readonly stop: string;
    }
    const rows: readonly Row[] = [
      { row: '(1) deletionGracePeriodSeconds replaces 0', delete: 25, stop: 'stop main 25' },
      {
        row: '(1) then (2) the smaller kill override likewise',
        delete: 25,
        kill: { gracePeriodSeconds: 10 },
        stop: 'stop main 10',
      },
      { row: '(2) not by a larger one', delete: 25, kill: { gracePeriodSeconds: 90 }, stop: 'stop main 25' },
      { row: '(2) the kill override, larger than the spec', kill: { gracePeriodSeconds: 90 }, stop: 'stop main 90' },
      { row: '(3) neither of them: spec.terminationGracePeriodSeconds', kill: {}, stop: 'stop main 40' },
      {
        row: '(4) an explicit 0 gives 1, not the default of the pod',
        kill: { gracePeriodSeconds: 0 },
        stop: 'stop main 2',
      },
    ];
    it.each(rows)('$row', async ({ delete: seconds, kill: options, stop }) => {
      await running();
      if (options !== undefined) {
        if (seconds !== undefined)
          scene.pod = { ...scene.pod, metadata: { ...scene.pod.metadata, ...deleted(seconds).metadata } };
        void kill(options);
      } else scene.want({}, deleted(seconds ?? 0));
      await scene.pass();
      expect(stops()).toEqual([stop]);
    });

    it('can only shrink; a shorter one takes effect only in the NEXT terminating sync', async () => {
      scene = await PodScene.open();
      scene.programs.set('main', stubborn);
      scene.want({});
      await scene.ready();
      scene.forget();
      scene.want({}, deleted(30));
      await scene.pass(5_000);
      scene.want({}, deleted(4));
      await scene.pass(5_000);
      expect(stops()).toEqual(['stop main 30']);
      // The stop that runs fails, and its sandbox's with it: the next terminating sync has the shorter grace.
      scene.node.runtime.faults.fail({ rpc: 'stopPodSandbox' }, { code: 'unknown' });
      scene.node.runtime.control.goAway();
      scene.node.runtime.control.comeBack();
      await scene.pass(16_000);
      expect(stops().slice(0, 2)).toEqual(['stop main 30', 'stop main 4']);
    });
  });

  it('status override functions: only the LAST one registered is applied, at each SyncTerminatingPod start', async () => {
    scene = await PodScene.open();
    scene.programs.set('main', { onStop: { afterMs: 3_000 } });
    scene.want({});
    await scene.ready();
    for (const reason of ['First', 'Second']) {
      void kill({ overrideStatus: (status) => ({ ...status, phase: 'Failed', reason }) });
    }
    await scene.pass();
    expect([...new Set(scene.node.statuses.flatMap(({ status }) => status.reason ?? []))]).toEqual(['Second']);
  });

  it.each([
    { row: 'max(10s, g + g/2): 10s for g = 2', seconds: 2, limitMs: 10_000 },
    { row: 'max(10s, g + g/2): 37s for g = 25', seconds: 25, limitMs: 37_000 },
  ])(
    'killPodNow waits for completion $row, then ExceededGracePeriod; the kill goes on',
    async ({ seconds, limitMs }) => {
      await running();
      scene.node.runtime.faults.hang({ rpc: 'stopContainer' });
      let waitedMs = -1;
      const startedAt = scene.node.clock.monotonic();
      void kill({ gracePeriodSeconds: seconds }).catch(() => (waitedMs = scene.node.clock.monotonic() - startedAt));
      await scene.node.until(() => waitedMs >= 0);
      expect(waitedMs).toBe(limitMs);
      expect(scene.events('ExceededGracePeriod')).toEqual([
        'ExceededGracePeriod: Container runtime did not kill the pod within specified grace period.',
      ]);
      scene.node.runtime.faults.clear();
      await scene.node.until(() => scene.node.isStopped(scene.pod), 400_000);
    },
  );

  describe('rules', () => {
    it('first update, API phase terminal, nothing runs: starts in terminated', async () => {
      scene = await PodScene.open();
      await scene.run({}, { status: { phase: 'Succeeded' } });
      expect(scene.story()).toEqual([]);
      expect(scene.phase).toBe('Succeeded');
    });

    it('first update, API phase terminal, a container runs: it is ended', async () => {
      scene = await openRemains({ parts: { status: { phase: 'Failed' } } });
      await scene.pass();
      expect(scene.story()).toEqual(['stop main 30', 'stop sandbox']);
    });

    it('updates after finished are ignored', async () => {
      scene = await openRemains({ parts: { status: { phase: 'Failed' } } });
      await scene.pass(30_000);
      scene.forget();
      scene.want({ containers: [container('main', { image: 'other:1' })] });
      await scene.pass(30_000);
      expect(scene.story().filter((step) => step.startsWith('start'))).toEqual([]);
    });

    it('create for a UID that is terminating: ignored until the record is dropped, then a new start', async () => {
      scene = await PodScene.open({ from: 'file' });
      scene.programs.set('main', { onStop: { afterMs: 8_000 } });
      scene.want({});
      await scene.ready();
      scene.forget();
      scene.node.want();
      await scene.pass(2_000);
      await scene.run({}, {}, 3_000);
      expect(scene.story()).toEqual(['stop main 30']);
      await scene.node.until(() => scene.story().includes('start main'));
    });

    it('a static pod: one started pod per full name, others wait in arrival order', async () => {
      scene = await PodScene.open({ from: 'file' });
      scene.programs.set('main', { onStop: { afterMs: 9_000 } });
      scene.want({}, { uid: 'uid-1' });
      await scene.ready();
      await scene.run({}, { uid: 'uid-2' }, 2_000);
      await scene.run({}, { uid: 'uid-3' }, 2_000);
      await scene.ready(60_000);
      // The second was removed again before it could start: finished without sync, and skipped.
      expect(scene.node.runtime.control.containers('uid-2')).toEqual([]);
      expect(scene.node.runtime.control.containers('uid-3')).toHaveLength(1);
    });

    it('not a static pod: nobody waits for the name', async () => {
      scene = await PodScene.open();
      scene.programs.set('main', { onStop: { afterMs: 20_000 } });
      scene.want({}, { uid: 'uid-1' });
      await scene.ready();
      scene.want({}, { uid: 'uid-2' });
      expect(await scene.node.until(() => scene.node.isReady(scene.pod))).toBeLessThan(5_000);
    });

    it('a status that cannot be read: FailedSync, and counts as a sync error', async () => {
      await running();
      scene.node.runtime.faults.fail(
        { rpc: 'containerStatus' },
        { code: 'unknown', message: 'gone blind', times: Infinity },
      );
      scene.node.runtime.control.exitContainer(scene.record('main')?.id ?? '', 1);
      scene.want({ terminationGracePeriodSeconds: 40 }, { metadata: { labels: { a: 'b' } } });
      await scene.node.until(() => scene.events('FailedSync').length > 0, 120_000);
      expect(scene.events('FailedSync')[0]).toMatch(/^FailedSync: error determining status: .*gone blind/);
    });
  });

  describe('requeue after a sync', () => {
    it('other error: base 10s, also where syncFrequency is longer', async () => {
      scene = await PodScene.open({ configuration: { syncFrequency: '20s' } });
      scene.want({});
      await scene.ready();
      await scene.pass(2_000);
      const control = scene.node.runtime.control;
      control.exitContainer(scene.record('main')?.id ?? '', 0);
      scene.node.runtime.faults.fail({ rpc: 'createContainer' }, { code: 'unknown', times: 1 });
      const tookMs = await scene.node.until(() => scene.containerStatus('main')?.restartCount === 1, 120_000);
      expect(tookMs).toBeGreaterThanOrEqual(9_000);
      expect(tookMs).toBeLessThan(14_000);
    });

    it('error text contains `network is not ready`: 1s', async () => {
      scene = await PodScene.open();
      scene.node.runtime.control.setNetworkReady(false);
      await scene.pass(6_000);
      scene.want({});
      await scene.pass(10_500);
      const event = scene.node.events(scene.pod).find(({ reason }) => reason === 'NetworkNotReady');
      expect(event?.count).toBeGreaterThanOrEqual(9);
      expect(event?.count).toBeLessThanOrEqual(11);
    });

    it('other error with a back-off expiry: time until the earliest', async () => {
      scene = await PodScene.open();
      scene.programs.set('quick', { exitAfterMs: 100, exitCode: 1 });
      scene.programs.set('later', { exitAfterMs: 4_000, exitCode: 1 });
      scene.want({ containers: [container('quick'), container('later')] });
      await scene.node.until(() => scene.times('startContainer').length === 5, 60_000);
      const quick = scene.node.runtime.calls.of('startContainer').filter(({ subjects }) => subjects.includes('quick'));
      const [, second, third] = quick.map(({ startedAtMs }) => startedAtMs);
      expect((third ?? 0) - (second ?? 0)).toBeLessThanOrEqual(12_000);
    });
  });
});
