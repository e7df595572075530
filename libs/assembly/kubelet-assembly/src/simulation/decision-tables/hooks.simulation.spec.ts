import { afterEach, describe, expect, it } from '@jest/globals';
import { Signal } from '@podwright/cri-client-interface';
import type { Container } from '@podwright/kube-types';
import type { ExecOutcome } from '@podwright/simulated-runtime';
import { PodScene, container, sidecar } from './pod-scene.js';

type Hook = NonNullable<NonNullable<Container['lifecycle']>['postStart']>;

interface Row {
  readonly row: string;
  readonly hook: Hook;
  readonly answer?: ExecOutcome;
  /** Of the waiting container; none: the pod gets ready. */
  readonly message?: string;
}

const named = 'for Container "main" in Pod "web_default(uid-web)" failed - error: ';
const rows: readonly Row[] = [
  {
    row: 'exec fails: message with the arguments and the output',
    hook: { exec: { command: ['greet', 'all'] } },
    answer: { exitCode: 3, stdout: 'out', stderr: 'err' },
    message: `Exec lifecycle hook ([greet all]) ${named}`,
  },
  { row: 'exec succeeds', hook: { exec: { command: ['greet'] } } },
  {
    row: 'tcpSocket: not supported, error `invalid handler`',
    hook: { tcpSocket: { port: 1 } } as Hook,
    message: 'invalid handler',
  },
  { row: 'sleep: 0 allowed', hook: { sleep: { seconds: 0 } } },
];

describe('lifecycle hooks', () => {
  let scene: PodScene;
  afterEach(() => scene.close());

  it.each(rows)('postStart $row', async ({ hook, answer, message }) => {
    scene = await PodScene.open();
    if (answer !== undefined) scene.answers.set('greet', answer);
    scene.want({ containers: [container('main', { lifecycle: { postStart: hook } })] });
    if (message === undefined) return scene.ready();
    await scene.node.until(() => scene.waiting() === 'PostStartHookError');
    expect(scene.containerStatus('main')?.state?.waiting?.message).toContain(message);
    expect(scene.events('FailedPostStartHook')).toEqual(['FailedPostStartHook: PostStartHook failed']);
    expect(scene.events('Killing')).toEqual(['Killing: FailedPostStartHook']);
    expect(scene.story()).toContain('stop main 30');
  });

  it('postStart runs after start and blocks later containers of the pod in this sync', async () => {
    scene = await PodScene.open();
    scene.answers.set('greet', { takesMs: 5_000 });
    const greeting = { lifecycle: { postStart: { exec: { command: ['greet'] } } } };
    scene.want({ containers: [container('main', greeting), container('second')] });
    await scene.ready();
    const [first = 0, second = 0] = scene.times('startContainer');
    expect(second - first).toBeGreaterThanOrEqual(5_000);
  });

  it('postStart of a sidecar blocks the next init container', async () => {
    scene = await PodScene.open();
    scene.answers.set('greet', { takesMs: 5_000 });
    const greeting = { lifecycle: { postStart: { exec: { command: ['greet'] } } } };
    scene.want({ initContainers: [sidecar('s', greeting), sidecar('t')] });
    await scene.ready();
    const [first = 0, second = 0] = scene.times('startContainer');
    expect(second - first).toBeGreaterThanOrEqual(5_000);
  });

  it('postStart fails: base grace, preStop runs', async () => {
    scene = await PodScene.open();
    scene.answers.set('greet', { exitCode: 1 });
    const lifecycle = { postStart: { exec: { command: ['greet'] } }, preStop: { exec: { command: ['leave'] } } };
    scene.answers.set('leave', { takesMs: 3_000 });
    scene.want({ containers: [container('main', { lifecycle })], terminationGracePeriodSeconds: 20 });
    await scene.node.until(() => scene.times('stopContainer').length > 0);
    expect(scene.story()).toContain('stop main 17');
  });

  it.each([
    { row: 'sleep waits N seconds', hook: { sleep: { seconds: 7 } }, stop: 'stop main 23' },
    { row: 'sleep 0', hook: { sleep: { seconds: 0 } }, stop: 'stop main 30' },
    { row: 'exec without timeout of its own', hook: { exec: { command: ['leave'] } }, stop: 'stop main 11' },
  ])('preStop $row', async ({ hook, stop }) => {
    scene = await PodScene.open();
    scene.answers.set('leave', { takesMs: 19_000 });
    scene.want({ containers: [container('main', { lifecycle: { preStop: hook } })] });
    await scene.ready();
    scene.node.want();
    await scene.pass(25_000);
    expect(scene.story()).toContain(stop);
    expect(scene.events('FailedPreStopHook')).toEqual([]);
  });

  it.each([
    { row: 'gate ContainerStopSignals off', gate: false, sent: 0, shown: undefined },
    { row: 'sent as CRI enum; status.stopSignal reported', gate: true, sent: Signal.SIGUSR1, shown: 'SIGUSR1' },
  ])('stopSignal: $row', async ({ gate, sent, shown }) => {
    scene = await PodScene.open({ configuration: { featureGates: { ContainerStopSignals: gate } } });
    const lifecycle = { stopSignal: 'SIGUSR1' } as NonNullable<Container['lifecycle']>;
    scene.want({ os: { name: 'linux' }, containers: [container('main', { lifecycle })] });
    await scene.ready();
    expect(scene.record('main')?.config.stopSignal ?? 0).toBe(sent);
    expect((scene.containerStatus('main') as { stopSignal?: string } | undefined)?.stopSignal).toBe(shown);
  });
});
