import { afterEach, describe, expect, it } from '@jest/globals';
import type { Container, Probe } from '@podwright/kube-types';
import { PodScene, container } from './pod-scene.js';
import { openRemains } from './pod-remains.js';

type Kind = 'liveness' | 'readiness' | 'startup';

const probe = (word: string, more: Partial<Probe> = {}): Probe => ({
  exec: { command: [word] },
  periodSeconds: 1,
  failureThreshold: 1,
  ...more,
});
const probed = (...parts: readonly [Kind, Partial<Probe>?][]): Partial<Container> =>
  Object.fromEntries(parts.map(([kind, more]) => [`${kind}Probe`, probe(kind, more)]));
const bad = { exitCode: 1, stdout: 'no' };

describe('probes', () => {
  let scene: PodScene;
  afterEach(() => scene.close());

  /** Times, relative to the start of `main`, at which the probe of the kind ran. */
  const runs = (kind: Kind): readonly number[] => {
    const startedAtMs = scene.times('startContainer')[0] ?? 0;
    const asked = scene.node.runtime.calls.of('execSync');
    return asked
      .filter(({ request }) => (request as { cmd?: readonly string[] }).cmd?.[0] === kind)
      .map((call) => call.startedAtMs - startedAtMs);
  };
  const flags = (): readonly unknown[] => {
    const main = scene.containerStatus('main');
    return [main?.started, main?.ready];
  };
  const start = async (own: Partial<Container>, failing: readonly Kind[] = [], forMs?: number): Promise<void> => {
    scene = await PodScene.open();
    // Older than most periods: no random delay before the first run.
    await scene.pass(1_500);
    for (const kind of failing) scene.answers.set(kind, bad);
    await scene.run({ containers: [container('main', own)] }, {}, forMs);
  };

  describe('initial result on a new container id, seen before the first run', () => {
    it.each([
      { row: 'readiness Failure', kind: 'readiness', shows: [true, false] },
      { row: 'liveness Success', kind: 'liveness', shows: [true, true] },
      { row: 'startup Unknown', kind: 'startup', shows: [false, false] },
    ] as const)('$row', async ({ kind, shows }) => {
      await start(probed([kind, { initialDelaySeconds: 600 }]));
      expect(flags()).toEqual(shows);
      expect(runs(kind)).toEqual([]);
      expect(scene.story()).toEqual(['sandbox 0', 'start main']);
    });

    it('NOT set when the container started more than 10s before the kubelet did', async () => {
      const spec = { containers: [container('main', probed(['readiness', { initialDelaySeconds: 600 }]))] };
      const conditions = [{ type: 'Ready', status: 'True' as const }];
      const parts = { status: { phase: 'Running' as const, conditions } };
      scene = await openRemains({ before: {}, spec, parts, awayMs: 15_000 });
      await scene.pass();
      expect(flags()).toEqual([true, true]);
    });

    it('set when it started less than 10s before', async () => {
      const spec = { containers: [container('main', probed(['readiness', { initialDelaySeconds: 600 }]))] };
      scene = await openRemains({ before: {}, spec, awayMs: 5_000 });
      await scene.pass();
      expect(flags()).toEqual([true, false]);
    });
  });

  describe('checks of one run', () => {
    it('(8) before initialDelay (whole seconds since startedAt): skip', async () => {
      await start(probed(['liveness', { initialDelaySeconds: 3 }]), [], 8_000);
      expect(runs('liveness')[0]).toBeGreaterThanOrEqual(3_000);
      expect(runs('liveness')[0]).toBeLessThan(4_500);
    });

    it('(9) startup and started, or liveness/readiness and not started: skip', async () => {
      await start(probed(['startup', { failureThreshold: 100 }], ['liveness'], ['readiness']), ['startup'], 6_000);
      expect([runs('startup').length > 2, runs('liveness'), runs('readiness')]).toEqual([true, [], []]);
      scene.answers.delete('startup');
      await scene.ready();
      const before = runs('startup').length;
      await scene.pass(5_000);
      expect(runs('startup')).toHaveLength(before);
      expect(runs('liveness').length).toBeGreaterThan(2);
    });

    it('(6) container not running: result Failure', async () => {
      await start({ ...probed(['readiness']), restartPolicy: 'Never' });
      expect(flags()).toEqual([true, true]);
      scene.node.runtime.control.exitContainer(scene.record('main')?.id ?? '', 1);
      await scene.pass();
      expect(flags()).toEqual([false, false]);
      const before = runs('readiness').length;
      await scene.pass(5_000);
      expect(runs('readiness')).toHaveLength(before);
    });

    it('(5) on hold: after a stored liveness Failure, until there is a new container id', async () => {
      await start(probed(['liveness']), [], 2_500);
      // The container takes its time to end; nobody asks it again meanwhile.
      Object.assign(scene.record('main') ?? {}, { program: { onStop: { afterMs: 10_000 }, exec: () => bad } });
      await scene.node.until(() => scene.times('stopContainer').length === 1);
      const before = runs('liveness').length;
      await scene.pass(8_000);
      expect(runs('liveness')).toHaveLength(before);
      await scene.node.until(() => runs('liveness').length > before, 30_000);
      expect(scene.containerStatus('main')?.restartCount).toBe(1);
    });

    it('(7) liveness and startup, deletionTimestamp set: result Success; readiness goes on', async () => {
      await start(probed(['liveness'], ['readiness']));
      Object.assign(scene.record('main') ?? {}, { program: { onStop: 'ignore', exec: () => bad } });
      const metadata = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 20 };
      scene.want(scene.pod.spec ?? {}, { metadata });
      await scene.pass(1_000);
      const [live, ready] = [runs('liveness').length, runs('readiness').length];
      await scene.pass(8_000);
      expect(runs('liveness')).toHaveLength(live);
      expect(runs('readiness').length).toBeGreaterThan(ready + 5);
      expect(flags()).toEqual([true, false]);
    });
  });

  describe('threshold', () => {
    it.each([
      { row: 'liveness failureThreshold 3', kind: 'liveness', fails: 3 },
      { row: 'startup failureThreshold 3', kind: 'startup', fails: 3 },
      { row: 'liveness failureThreshold 1', kind: 'liveness', fails: 1 },
    ] as const)('stored only after N equal results in a row: $row', async ({ kind, fails }) => {
      await start(probed([kind, { failureThreshold: fails }]), [kind], 0);
      await scene.node.until(() => scene.times('stopContainer').length === 1);
      expect(runs(kind)).toHaveLength(fails);
      expect(scene.node.events(scene.pod).find(({ reason }) => reason === 'Unhealthy')?.count).toBe(fails);
    });

    it('stored only after N equal results in a row: readiness successThreshold 3', async () => {
      await start(probed(['readiness', { successThreshold: 3 }]), [], 0);
      await scene.ready();
      expect(runs('readiness')).toHaveLength(3);
    });
  });

  describe('attempt and events', () => {
    const readinessFault = (times: number): void =>
      void scene.node.runtime.faults.fail({ rpc: 'execSync' }, { code: 'unknown', message: 'no exec', times });

    it('up to 3 immediate tries when the prober returns an error; success of the last one counts', async () => {
      await start(probed(['readiness', { periodSeconds: 5 }]), [], 0);
      readinessFault(2);
      await scene.ready();
      expect(runs('readiness')).toHaveLength(3);
      expect(scene.events('Unhealthy')).toEqual([]);
    });

    it('an error after that is discarded: event Unhealthy, result and run counter unchanged', async () => {
      await start(probed(['readiness', { periodSeconds: 2 }]));
      expect(flags()).toEqual([true, true]);
      readinessFault(3);
      await scene.pass(3_000);
      expect(flags()).toEqual([true, true]);
      expect(scene.events('Unhealthy')).toEqual([
        expect.stringMatching(
          /^Unhealthy: Readiness probe errored and resulted in unknown state: .*no exec/,
        ) as unknown,
      ]);
    });

    it.each([
      { kind: 'liveness', text: 'Liveness probe failed: no' },
      { kind: 'readiness', text: 'Readiness probe failed: no' },
      { kind: 'startup', text: 'Startup probe failed: no' },
    ] as const)('text: $text', async ({ kind, text }) => {
      await start(probed([kind]), [kind]);
      expect(scene.events('Unhealthy')).toEqual([`Unhealthy: ${text}`]);
    });
  });

  it('exec: timeout is a failure', async () => {
    scene = await PodScene.open();
    scene.answers.set('readiness', { takesMs: 5_000 });
    await scene.run({ containers: [container('main', probed(['readiness', { timeoutSeconds: 2 }]))] }, {}, 8_000);
    expect(scene.events('Unhealthy')[0]).toMatch(/^Unhealthy: Readiness probe failed: .*timed out/);
    expect(flags()).toEqual([true, false]);
  });

  it('first run: at once, where there is (3) no container id in the status: skip; the next one a period later', async () => {
    await start(probed(['liveness', { periodSeconds: 15 }]), [], 32_000);
    expect(runs('liveness').map((atMs) => Math.round(atMs / 1_000))).toEqual([15, 30]);
  });
});
