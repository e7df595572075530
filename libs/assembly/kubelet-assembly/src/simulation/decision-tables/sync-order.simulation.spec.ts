import { afterEach, describe, expect, it } from '@jest/globals';
import type { PodSpec } from '@podwright/kube-types';
import { PodScene, container, sidecar } from './pod-scene.js';
import { openRemains } from './pod-remains.js';

const broken = { code: 'unknown' as const, message: 'broken', times: Infinity };
const inits: Partial<PodSpec> = { initContainers: [container('i'), container('j')] };

describe('order of the runtime sync', () => {
  let scene: PodScene;
  afterEach(() => scene.close());
  const lostSandbox = ({ node }: PodScene): void => void (node.runtime.control.sandboxes[0]!.ip = '');
  const starting = async (
    spec: Partial<PodSpec>,
    failing: Readonly<Record<string, 'createContainer'>> = {},
  ): Promise<void> => {
    scene = await PodScene.open();
    for (const [subject, rpc] of Object.entries(failing)) scene.node.runtime.faults.fail({ rpc, subject }, broken);
    scene.programs.set('i', { exitAfterMs: 500 });
    scene.programs.set('j', { exitAfterMs: 500 });
    await scene.run(spec, {}, 8_000);
  };

  it('1, 2 event SandboxChanged, then the pod is killed, then the new sandbox', async () => {
    scene = await openRemains({ meanwhile: lostSandbox });
    await scene.pass();
    expect(scene.events().slice(0, 2)).toEqual([
      'SandboxChanged: Pod sandbox changed, it will be killed and re-created.',
      'Killing: Stopping container main',
    ]);
  });

  it('2 kill the pod: an error ends the sync', async () => {
    scene = await openRemains({
      meanwhile: (found) => {
        lostSandbox(found);
        found.node.runtime.faults.fail({ rpc: 'stopContainer' }, { code: 'unknown', message: 'busy', times: Infinity });
        found.node.runtime.faults.fail(
          { rpc: 'stopPodSandbox' },
          { code: 'unknown', message: 'busy', times: Infinity },
        );
      },
    });
    await scene.pass();
    expect(scene.story()).toEqual(['stop main 30', 'stop sandbox']);
  });

  it('6 an image volume that cannot be pulled fails the containers that mount it, and no other', async () => {
    scene = await PodScene.open();
    scene.node.runtime.store.publish('registry.test/files:1', {
      pullErrors: [{ message: 'gone' }, { message: 'gone' }],
    });
    await scene.run({
      volumes: [{ name: 'files', image: { reference: 'registry.test/files:1' } }],
      containers: [
        { ...container('main'), volumeMounts: [{ name: 'files', mountPath: '/files' }] },
        container('other'),
      ],
    });
    expect(scene.story()).toEqual(['sandbox 0', 'start other']);
    expect(scene.containerStatus('main')?.state?.waiting?.reason).toBe('ImagePullBackOff');
    expect(scene.events('Failed')).toContain('Failed: Error: ErrImagePull');
  });

  it('2 with a new sandbox all init container records are removed', async () => {
    scene = await openRemains({ spec: inits, meanwhile: lostSandbox });
    await scene.pass();
    expect(
      scene
        .story()
        .filter((step) => step.startsWith('remove'))
        .sort(),
    ).toEqual(['remove i', 'remove j']);
  });

  it('3 kill single containers: the first error ends the sync', async () => {
    const before = { containers: [container('main'), container('second')] };
    const other = (name: string) => container(name, { image: 'registry.test/other:1' });
    scene = await openRemains({
      before,
      spec: { containers: [other('main'), other('second')] },
      meanwhile: ({ node }) =>
        void node.runtime.faults.fail({ rpc: 'stopContainer', subject: 'main' }, { code: 'unknown' }),
    });
    await scene.pass();
    expect(scene.story()[0]).toBe('stop main 30');
    expect(scene.story()).not.toContain('start second');
    await scene.ready();
  });

  it('4 prune: of the ended records of each init container only the newest is kept', async () => {
    scene = await PodScene.open();
    scene.programs.set('i', ({ attempt }) => ({ exitAfterMs: 100, exitCode: attempt < 3 ? 1 : 0 }));
    scene.want({ initContainers: [container('i')] });
    await scene.ready(120_000);
    expect(scene.node.runtime.control.containers().filter(({ name }) => name === 'i')).toHaveLength(1);
    expect(scene.record('i')?.config.metadata?.attempt).toBe(3);
  });

  it.each([
    {
      row: 'RunPodSandbox: FailedCreatePodSandBox',
      rpc: 'runPodSandbox',
      event: /^FailedCreatePodSandBox: Failed to create pod sandbox: .*broken$/,
    },
    {
      row: 'PodSandboxStatus: FailedPodSandBoxStatus',
      rpc: 'podSandboxStatus',
      event: /^FailedPodSandBoxStatus: Unable to get pod sandbox status: .*broken$/,
    },
  ] as const)('5 create sandbox: $row', async ({ rpc, event }) => {
    scene = await PodScene.open();
    const repair = scene.node.runtime.faults.fail({ rpc }, broken);
    await scene.run({}, {}, 2_000);
    expect(scene.events(event.source.slice(1).split(':')[0])[0]).toMatch(event);
    expect(scene.times('createContainer')).toEqual([]);
    repair();
    await scene.ready();
  });

  it('5 no event for a failed sandbox when termination was requested', async () => {
    scene = await PodScene.open();
    scene.node.runtime.faults.delay({ rpc: 'runPodSandbox' }, 5_000);
    scene.node.runtime.faults.fail({ rpc: 'runPodSandbox' }, broken);
    await scene.run({}, {}, 1_000);
    scene.want({}, { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 } });
    await scene.pass(10_000);
    expect(scene.events('FailedCreatePodSandBox')).toEqual([]);
  });

  it('5 PodReadyToStartContainers is set with the sandbox, before anything is started', async () => {
    scene = await PodScene.open();
    scene.node.runtime.faults.hang({ rpc: 'createContainer' });
    await scene.run({});
    expect(scene.condition('PodReadyToStartContainers')?.status).toBe('True');
  });

  it('7 ephemeral containers: errors ignored; not with a new sandbox, then before init containers', async () => {
    await starting({ ...inits, ephemeralContainers: [container('debug')] }, { debug: 'createContainer' });
    expect(scene.containerStatus('main')?.state?.running).toBeDefined();
    await scene.close();
    await starting({ ...inits, ephemeralContainers: [container('debug')] });
    expect(scene.story()).toEqual(['sandbox 0', 'start i', 'start debug', 'start j', 'start main']);
  });

  it('8 a plain init container start error ends the sync', async () => {
    await starting(inits, { i: 'createContainer' });
    expect(scene.story()).toEqual(['sandbox 0']);
    expect(scene.waiting('i')).toBe('CreateContainerError');
  });

  it('8 a sidecar error does not', async () => {
    const spec = { initContainers: [sidecar('s'), container('i')] };
    scene = await openRemains({
      spec,
      records: { s: 'exited 1', main: 'exited 1' },
      meanwhile: ({ node }) => void node.runtime.faults.fail({ rpc: 'createContainer', subject: 's' }, broken),
    });
    await scene.pass();
    expect(scene.waiting('s')).toBe('CreateContainerError');
    expect(scene.story()).toContain('start main');
  });

  it('10 regular containers in list order; errors do not stop the others', async () => {
    const names = ['c', 'a', 'b'];
    await starting({ containers: names.map((name) => container(name)) }, { a: 'createContainer' });
    expect(scene.story()).toEqual(['sandbox 0', 'start c', 'start b']);
    expect(scene.waiting('a')).toBe('CreateContainerError');
  });

  it('a start in back-off is a start error of that container only', async () => {
    scene = await PodScene.open();
    scene.programs.set('main', { exitAfterMs: 100, exitCode: 1 });
    scene.want({ containers: [container('main'), container('second')] });
    await scene.node.until(() => scene.waiting() === 'CrashLoopBackOff');
    scene.node.runtime.control.exitContainer(scene.record('second')?.id ?? '', 1);
    expect(await scene.node.until(() => scene.containerStatus('second')?.restartCount === 1)).toBeLessThan(4_000);
    expect(scene.waiting()).toBe('CrashLoopBackOff');
  });

  it('a start in back-off of a plain init container ends the sync', async () => {
    scene = await PodScene.open();
    scene.programs.set('i', { exitAfterMs: 100, exitCode: 1 });
    scene.want({ initContainers: [sidecar('s'), container('i')] });
    await scene.node.until(() => scene.waiting('i') === 'CrashLoopBackOff');
    expect(scene.times('startContainer')).toHaveLength(3);
    expect(scene.phase).toBe('Pending');
  });
});
