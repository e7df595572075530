import { afterEach, describe, expect, it } from '@jest/globals';
import { PodScene, container } from './pod-scene.js';

describe('static pods at run time', () => {
  let scene: PodScene;
  afterEach(() => scene.close());
  const newest = (uid: string) => scene.node.runtime.control.container(uid, 'main');
  const open = async (spec = {}): Promise<void> => {
    scene = await PodScene.open({ from: 'file' });
    scene.programs.set('main', { onStop: { afterMs: 6_000 } });
    scene.want(spec, { uid: 'uid-1' });
    await scene.ready();
    scene.forget();
  };

  it('manifest changed: new UID -> old pod REMOVE (kill, spec grace), new pod ADD; start waits for the old one', async () => {
    await open({ terminationGracePeriodSeconds: 25 });
    await scene.run({ containers: [container('main', { image: 'other:1' })] }, { uid: 'uid-2' });
    expect(scene.story()).toEqual(['stop main 25']);
    expect(scene.phase).toBeUndefined();
    await scene.ready();
    expect(newest('uid-1')?.running).not.toBe(true);
  });

  it('manifest changed again while the old pod terminates: queued ones that are removed are skipped', async () => {
    await open();
    for (const uid of ['uid-2', 'uid-3', 'uid-4']) await scene.run({}, { uid }, 1_000);
    await scene.ready(120_000);
    expect(['uid-2', 'uid-3', 'uid-4'].map((uid) => newest(uid) !== undefined)).toEqual([false, false, true]);
  });

  it('same UID back while terminating: restartRequested, the running termination is not shortened', async () => {
    await open();
    scene.node.want();
    await scene.pass(2_000);
    await scene.run({ terminationGracePeriodSeconds: 1 }, { uid: 'uid-1' }, 2_000);
    expect(scene.story()).toEqual(['stop main 30']);
    await scene.node.until(() => newest('uid-1')?.running === true && scene.story().includes('start main'), 60_000);
    expect(scene.story().filter((step) => step === 'stop main 1')).toEqual([]);
  });

  it.each([
    { row: 'static pods do not get Succeeded/Failed from the terminal rule', from: 'file', phase: 'Running' },
    { row: 'others do', from: 'api', phase: 'Failed' },
  ] as const)('terminal phase: $row', async ({ from, phase }) => {
    scene = await PodScene.open({ from });
    scene.programs.set('main', { onStop: { afterMs: 500, exitCode: 7 } });
    scene.want({});
    await scene.ready();
    scene.node.want();
    await scene.node.until(() => scene.node.isStopped(scene.pod));
    expect(scene.node.statuses.at(-1)?.status.phase).toBe(phase);
  });

  it('terminal phase: a static pod that has come to its own end is Succeeded', async () => {
    scene = await PodScene.open({ from: 'file' });
    scene.programs.set('main', { exitAfterMs: 500 });
    await scene.run({ restartPolicy: 'Never' });
    expect(scene.phase).toBe('Succeeded');
  });

  it.each([
    { row: 'ignored for static pods', from: 'file', phase: 'Running' },
    { row: 'not for others', from: 'api', phase: 'Failed' },
  ] as const)('NoExecute taints: $row', async ({ from, phase }) => {
    const registerWithTaints = [{ key: 'dedicated', effect: 'NoExecute' }];
    scene = await PodScene.open({ from, configuration: { registerWithTaints } });
    await scene.run({});
    expect(scene.phase).toBe(phase);
  });
});
