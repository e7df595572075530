import { afterEach, describe, expect, it } from '@jest/globals';
import type { Container, PodSpec } from '@podwright/kube-types';
import type { ExecOutcome } from '@podwright/simulated-runtime';
import { PodScene, container, sidecar, type PodParts } from './pod-scene.js';

interface Row {
  readonly row: string;
  readonly spec: Partial<PodSpec>;
  /** What ends the pod, or a container of it. */
  readonly end: (scene: PodScene, spec: Partial<PodSpec>) => void;
  readonly preStop?: ExecOutcome;
  readonly story: readonly string[];
  readonly events?: readonly string[];
  readonly forMs?: number;
}

const deleted = (deletionGracePeriodSeconds: number): PodParts => ({
  metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds },
});
const remove = ({ node }: PodScene): void => node.want();
const deleteIn =
  (seconds: number) =>
  (scene: PodScene, spec: Partial<PodSpec>): void =>
    void scene.want(spec, deleted(seconds));
const fail =
  (word: string) =>
  ({ answers }: PodScene): void =>
    void answers.set(word, { exitCode: 1 });
const graceOf = (seconds: number, own: Partial<Container> = {}): Partial<PodSpec> => ({
  terminationGracePeriodSeconds: seconds,
  containers: [container('main', own)],
});
const probe = (word: string, grace?: number) => ({
  exec: { command: [word] },
  periodSeconds: 1,
  failureThreshold: 1,
  ...(grace !== undefined && { terminationGracePeriodSeconds: grace }),
});
const hook = { lifecycle: { preStop: { exec: { command: ['leave'] } } } };
const stops = (seconds: number): readonly string[] => [`stop main ${seconds}`, 'stop sandbox'];
const restarts = (seconds: number): readonly string[] => [`stop main ${seconds}`, 'start main'];

const rows: readonly Row[] = [
  { row: 'base grace: deletionGracePeriodSeconds', spec: graceOf(30), end: deleteIn(7), story: stops(7) },
  { row: 'base grace: else the pod value', spec: graceOf(12), end: remove, story: stops(12) },
  {
    row: 'base grace: probe-level value for LivenessProbe reasons',
    spec: graceOf(30, { livenessProbe: probe('live', 5) }),
    end: fail('live'),
    story: restarts(5),
    forMs: 2_000,
  },
  {
    row: 'base grace: LivenessProbe without a value: the pod value',
    spec: graceOf(25, { livenessProbe: probe('live') }),
    end: fail('live'),
    story: restarts(25),
    forMs: 2_000,
  },
  {
    row: 'override not given: container restarts use the base',
    spec: graceOf(9),
    end: (scene) => void scene.want({ ...graceOf(9), containers: [container('main', { image: 'other:1' })] }),
    story: restarts(9),
  },
  {
    row: 'override not given: sandbox recreation uses the base',
    spec: graceOf(9),
    end: (scene) => void scene.want({ ...graceOf(9), hostNetwork: true }),
    story: ['stop main 9', 'stop sandbox', 'sandbox 1', 'start main'],
  },
  { row: 'minimum: 2 seconds, also for override 1', spec: graceOf(30), end: deleteIn(1), story: stops(2) },
  { row: 'an explicit 0 gives 1, which is passed as 2', spec: graceOf(30), end: deleteIn(0), story: stops(2) },
  {
    row: 'preStop runs up to the grace; whole elapsed seconds are subtracted',
    spec: graceOf(30, hook),
    end: remove,
    preStop: { takesMs: 4_300 },
    story: stops(26),
    forMs: 10_000,
  },
  {
    row: 'preStop: hook errors give event FailedPreStopHook and do not stop the kill',
    spec: graceOf(30, hook),
    end: remove,
    preStop: { exitCode: 1 },
    story: stops(30),
    events: ['Killing: Stopping container main', 'FailedPreStopHook: PreStopHook failed'],
  },
  {
    row: 'preStop: on timeout the hook is left running, without event, until the end of the container breaks it',
    spec: graceOf(10, hook),
    end: remove,
    preStop: { takesMs: Infinity },
    story: stops(2),
    events: ['Killing: Stopping container main', 'FailedPreStopHook: PreStopHook failed'],
    forMs: 20_000,
  },
  {
    row: 'effective flow: worker grace = deletionGracePeriodSeconds -> preStop budget -> StopContainer with the rest',
    spec: graceOf(60, hook),
    end: deleteIn(20),
    preStop: { takesMs: 6_000 },
    story: stops(14),
    forMs: 20_000,
  },
  {
    row: 'sidecar order: after all regular containers and the next later sidecar have stopped, waiting is subtracted',
    spec: { ...graceOf(30), initContainers: [sidecar('early'), sidecar('late')] },
    end: remove,
    story: ['stop main 30', 'stop late 25', 'stop early 25', 'stop sandbox'],
    forMs: 12_000,
  },
  {
    row: 'sidecar order: wait ends when the grace is used up, the minimum is left',
    spec: { ...graceOf(3), initContainers: [sidecar('early')] },
    end: remove,
    story: ['stop main 3', 'stop early 2', 'stop sandbox'],
    forMs: 12_000,
  },
];

describe('killing and grace periods', () => {
  let scene: PodScene;
  afterEach(() => scene.close());

  it.each(rows)('$row', async ({ spec, end, preStop, story, events, forMs }) => {
    scene = await PodScene.open();
    // Where sidecars wait, it is five seconds for this.
    if (spec.initContainers !== undefined) scene.programs.set('main', { onStop: { afterMs: 5_000 } });
    if (preStop !== undefined) scene.answers.set('leave', preStop);
    scene.want(spec);
    await scene.ready();
    const before = scene.events().length;
    scene.forget();
    end(scene, spec);
    await scene.pass(forMs);
    expect(scene.story().filter((step) => !step.startsWith('remove'))).toEqual(story);
    if (events !== undefined) expect(scene.events().slice(before)).toEqual(events);
  });

  it('base grace: probe-level value for StartupProbe reasons', async () => {
    scene = await PodScene.open();
    scene.answers.set('begin', { exitCode: 1 });
    await scene.run(graceOf(30, { startupProbe: probe('begin', 6) }), {}, 2_500);
    expect(scene.story()).toContain('stop main 6');
  });

  it('base grace: terminationGracePeriodSeconds not set: 2', async () => {
    scene = await PodScene.open();
    const { terminationGracePeriodSeconds: _none, ...spec } = scene.want({}).spec ?? { containers: [] };
    scene.node.want({ ...scene.pod, spec });
    await scene.ready();
    scene.forget();
    scene.node.want({ ...scene.pod, spec: { ...spec, containers: [container('main', { image: 'other:1' })] } });
    await scene.pass();
    expect(scene.story()).toEqual(restarts(2));
  });

  it('override: a runtime-only kill gives 1, hence 2 seconds, and no preStop', async () => {
    scene = await PodScene.open();
    scene.want(graceOf(30, hook));
    await scene.ready();
    await scene.node.kill();
    scene.node.want();
    scene.forget();
    await scene.node.boot();
    await scene.pass(10_000);
    expect(scene.story().filter((step) => step.startsWith('stop'))).toEqual(stops(2));
    expect(scene.times('execSync')).toEqual([]);
  });

  it('records in state Running; created and unknown ones are left to StopPodSandbox', async () => {
    scene = await PodScene.open();
    scene.node.runtime.faults.fail({ rpc: 'startContainer', subject: 'second' }, { code: 'unknown', times: Infinity });
    await scene.run({ containers: [container('main'), container('second')] });
    scene.forget();
    scene.node.want();
    await scene.pass();
    expect(scene.story()).toEqual(stops(30));
  });

  it('order: regular containers all in parallel; plain init and ephemeral containers without waiting', async () => {
    scene = await PodScene.open();
    for (const name of ['main', 'second', 'debug']) scene.programs.set(name, { onStop: { afterMs: 3_000 } });
    scene.want({ containers: [container('main'), container('second')], ephemeralContainers: [container('debug')] });
    await scene.ready();
    scene.forget();
    scene.node.want();
    await scene.pass(10_000);
    expect(new Set(scene.times('stopContainer')).size).toBe(1);
    expect(scene.times('stopContainer')).toHaveLength(3);
  });

  it('StopContainer NotFound: success', async () => {
    scene = await PodScene.open();
    scene.want({});
    await scene.ready();
    scene.node.runtime.faults.fail({ rpc: 'stopContainer' }, { code: 'not-found' });
    scene.forget();
    scene.node.want();
    await scene.pass();
    expect(scene.story().slice(0, 2)).toEqual(stops(30));
    expect(scene.events('FailedKillPod')).toEqual([]);
  });

  it('after containers: StopPodSandbox, also after container errors, which give FailedKillPod and a retry', async () => {
    scene = await PodScene.open();
    scene.want({});
    await scene.ready();
    scene.node.runtime.faults.fail({ rpc: 'stopContainer' }, { code: 'unknown', message: 'busy' });
    scene.node.runtime.faults.fail({ rpc: 'stopPodSandbox' }, { code: 'unknown', message: 'busy' });
    scene.forget();
    scene.node.want();
    await scene.pass(30_000);
    expect(scene.events('FailedKillPod')).toHaveLength(1);
    expect(scene.story().slice(0, 4)).toEqual([...stops(30), ...stops(30)]);
    expect(scene.node.isStopped(scene.pod)).toBe(true);
  });
});
