import { afterEach, describe, expect, it } from '@jest/globals';
import type { KubeletConfiguration } from '@podwright/kubelet-configuration';
import { PodScene, container, sidecar } from './pod-scene.js';

interface Row {
  readonly row: string;
  readonly configuration?: Partial<KubeletConfiguration>;
  /** Seconds between the starts of a container that ends at once. */
  readonly gaps: readonly number[];
  readonly init?: boolean;
  readonly exitCode?: number;
}

const gates = (featureGates: Readonly<Record<string, boolean>>): Partial<KubeletConfiguration> => ({ featureGates });
const limited = (maxContainerRestartPeriod: string): Partial<KubeletConfiguration> => ({
  crashLoopBackOff: { maxContainerRestartPeriod },
});

const rows: readonly Row[] = [
  { row: 'container restart | 10s | 2 | 300s', gaps: [0, 10, 20, 40, 80] },
  {
    row: 'container restart | or crashLoopBackOff.maxContainerRestartPeriod',
    configuration: limited('25s'),
    gaps: [0, 10, 20, 25, 25],
  },
  { row: 'container restart | initial lowered to it when smaller', configuration: limited('4s'), gaps: [0, 4, 4, 4] },
  {
    row: 'gate ReduceDefaultCrashLoopBackOffDecay | 1s | 2 | the config value, default 300s',
    configuration: gates({ ReduceDefaultCrashLoopBackOffDecay: true }),
    gaps: [0, 1, 2, 4, 8, 16, 32, 64],
  },
  {
    row: 'gate ReduceDefaultCrashLoopBackOffDecay | 1s | 2 | 60s only with gate KubeletCrashLoopBackOffMax off',
    configuration: gates({ ReduceDefaultCrashLoopBackOffDecay: true, KubeletCrashLoopBackOffMax: false }),
    gaps: [0, 1, 2, 4, 8, 16, 32, 60],
  },
  { row: 'exit 0 counts too', gaps: [0, 10, 20], exitCode: 0 },
  { row: 'sidecars use the same rule', gaps: [0, 10, 20], init: true },
];

describe('back-offs', () => {
  let scene: PodScene;
  afterEach(() => scene.close());
  const gapsOf = (times: readonly number[]): readonly number[] =>
    times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1000);

  it.each(rows)('$row', async ({ configuration = {}, gaps, init = false, exitCode = 1 }) => {
    scene = await PodScene.open({ configuration });
    scene.programs.set('short', { exitAfterMs: 100, exitCode });
    scene.want(init ? { initContainers: [sidecar('short')] } : { containers: [container('short')] });
    const starts = (): readonly number[] =>
      scene.node.runtime.calls
        .of('startContainer')
        .filter(({ subjects }) => subjects.includes('short'))
        .map(({ startedAtMs }) => startedAtMs);
    await scene.node.until(() => starts().length > gaps.length, 3_600_000);
    // From the end of the container to its next start; the relist that sees the end adds up to a second.
    gapsOf(starts()).forEach((gap, index) => {
      expect(gap).toBeGreaterThanOrEqual(gaps[index]!);
      expect(gap).toBeLessThanOrEqual(gaps[index]! + 2);
    });
  });

  it('waiting reason, message and event; the first restart is immediate', async () => {
    scene = await PodScene.open();
    scene.programs.set('main', { exitAfterMs: 100, exitCode: 1 });
    scene.want({});
    await scene.node.until(() => scene.waiting() === 'CrashLoopBackOff');
    expect(scene.containerStatus('main')?.state?.waiting?.message).toBe(
      'back-off 10s restarting failed container=main pod=web_default(uid-web)',
    );
    expect(scene.containerStatus('main')).toMatchObject({
      restartCount: 1,
      lastState: { terminated: { exitCode: 1 } },
    });
    expect(scene.events('BackOff')[0]).toBe(
      'BackOff: Back-off restarting failed container main in pod web_default(uid-web)',
    );
    expect(scene.node.events(scene.pod).find(({ reason }) => reason === 'BackOff')?.type).toBe('Warning');
  });

  it('reset when the finish time is more than 600s after the last back-off update', async () => {
    scene = await PodScene.open();
    scene.programs.set('main', ({ attempt }) => ({ exitAfterMs: attempt === 3 ? 700_000 : 100, exitCode: 1 }));
    scene.want({});
    await scene.node.until(() => scene.times('startContainer').length === 6, 3_600_000);
    const [, , , longest = 0, afterReset = 0] = gapsOf(scene.times('startContainer'));
    expect(longest).toBeLessThan(703);
    expect(afterReset).toBeGreaterThanOrEqual(10);
    expect(afterReset).toBeLessThan(12.2);
  });

  it('key: another image begins anew', async () => {
    scene = await PodScene.open();
    scene.programs.set('main', { exitAfterMs: 100, exitCode: 1 });
    scene.want({});
    await scene.node.until(() => scene.times('startContainer').length === 4, 600_000);
    scene.want({ containers: [container('main', { image: 'registry.test/other:1' })] });
    expect(await scene.node.until(() => scene.times('startContainer').length === 5, 60_000)).toBeLessThan(3_000);
  });

  it('a newer created record is skipped over: the newest exited one counts', async () => {
    scene = await PodScene.open();
    scene.programs.set('main', { exitAfterMs: 100, exitCode: 1 });
    scene.want({});
    await scene.node.until(() => scene.times('startContainer').length === 2, 600_000);
    scene.node.runtime.faults.fail({ rpc: 'startContainer' }, { code: 'unknown', message: 'broken' });
    await scene.node.until(() => scene.times('startContainer').length === 4, 600_000);
    const gaps = gapsOf(scene.times('startContainer'));
    expect(gaps[1]).toBeGreaterThanOrEqual(10);
    // The end that counts is that of the second start, and its pause has doubled meanwhile.
    expect((gaps[1] ?? 0) + (gaps[2] ?? 0)).toBeGreaterThanOrEqual(20);
  });

  it('image pull | 10s | 2', async () => {
    scene = await PodScene.open();
    const pullErrors = Array.from({ length: 20 }, () => ({ message: 'not there' }));
    scene.node.runtime.store.publish('registry.test/main:1', { pullErrors });
    scene.want({});
    await scene.node.until(() => scene.times('pullImage').length === 5, 3_600_000);
    gapsOf(scene.times('pullImage')).forEach((gap, index) => {
      const pause = [10, 20, 40, 80][index]!;
      expect(gap).toBeGreaterThanOrEqual(pause);
      // Image pauses wake nobody: the next sync after an error comes 10 s after the one before.
      expect(gap).toBeLessThanOrEqual(pause + 11);
    });
  });

  it('pod sync error | 10s', async () => {
    scene = await PodScene.open();
    scene.node.runtime.faults.fail({ rpc: 'runPodSandbox' }, { code: 'unknown', message: 'no', times: 4 });
    scene.want({});
    await scene.ready(120_000);
    expect(gapsOf(scene.times('runPodSandbox')).map((gap) => Math.floor(gap))).toEqual([10, 10, 10, 10]);
  });
});
