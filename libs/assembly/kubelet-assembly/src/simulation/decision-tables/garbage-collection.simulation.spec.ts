import { afterEach, describe, expect, it } from '@jest/globals';
import { ContainerState } from '@podwright/cri-client-interface';
import { CONTAINER_GC } from '@podwright/container-gc-interface';
import { MemoryPodSource } from '../memory-pod-source.js';
import { PodScene, container, type PodSceneOptions } from './pod-scene.js';
import { openRemains } from './pod-remains.js';

describe('container garbage collection', () => {
  let scene: PodScene;
  afterEach(() => scene.close());
  const records = (name = 'main'): readonly number[] =>
    scene.node.runtime.control
      .containers()
      .filter((record) => record.name === name)
      .map(({ config }) => config.metadata?.attempt ?? 0);
  const crashed = async (times: number, options: PodSceneOptions = {}): Promise<void> => {
    scene = await PodScene.open(options);
    scene.programs.set('main', ({ attempt }) => (attempt < times ? { exitAfterMs: 50, exitCode: 1 } : {}));
    scene.want({});
    await scene.node.until(() => scene.record('main')?.config.metadata?.attempt === times, 600_000);
    await scene.pass(1_500);
  };
  const collect = (): Promise<void> => scene.node.finish(scene.node.part(CONTAINER_GC).garbageCollect());

  it('keep newest maxPerPodContainer (1) of a unit; running ones are no candidates', async () => {
    await crashed(3);
    expect(records()).toEqual([2, 3]);
  });

  it.each([
    { row: 'global cap maxContainers: 0 leaves none', options: { maxContainers: 0 }, left: [3] },
    { row: 'global cap maxContainers: -1 is off', options: { maxContainers: -1 }, left: [2, 3] },
    { row: 'minAge: the young stay', options: { minAgeMs: 3_600_000, maxContainers: 0 }, left: [2, 3] },
  ])('$row', async ({ options, left }) => {
    await crashed(3, { options: { '@podwright/container-gc': options } });
    await collect();
    expect(records()).toEqual(left);
  });

  it('removal: all of a unit when content-removable and sources ready; sandbox too', async () => {
    await crashed(2);
    scene.node.want();
    await scene.node.until(() => scene.node.isStopped(scene.pod));
    await scene.pass(1_500);
    // On ContainerDied all exited records of the pod go when it is content-removable.
    await scene.node.until(() => scene.node.runtime.control.sandboxes.length === 0, 70_000);
    expect(records()).toEqual([]);
  });

  it('removal: a pod that has ended but is wanted keeps its newest record, and its newest sandbox', async () => {
    scene = await openRemains({ spec: { restartPolicy: 'Never' }, records: { main: 'exited 0' } });
    await scene.pass(10_000);
    await collect();
    expect(records()).toEqual([0]);
    expect(scene.node.runtime.control.sandboxes).toHaveLength(1);
  });

  it('sandboxes: all but the newest, only those not ready and without any container; stop then remove', async () => {
    scene = await openRemains({ spec: { hostNetwork: true }, before: {} });
    await scene.ready();
    // The old record in the old sandbox keeps it; without it the sandbox goes.
    const [old, fresh] = scene.node.runtime.control.sandboxes;
    expect(fresh).toBeDefined();
    for (const { id, podSandboxId } of scene.node.runtime.control.containers()) {
      if (podSandboxId === old?.id) scene.node.runtime.control.loseContainer(id);
    }
    scene.forget();
    await collect();
    expect(scene.node.runtime.control.sandboxes).toEqual([fresh]);
    expect(
      scene.node.runtime.calls.all.map(({ rpc }) => rpc).filter((rpc) => /^(stop|remove)PodSandbox$/.test(rpc)),
    ).toEqual(['stopPodSandbox', 'removePodSandbox']);
  });

  it('unknown state: stopped first', async () => {
    await crashed(1, { options: { '@podwright/container-gc': { maxContainers: 0 } } });
    const [exited] = scene.node.runtime.control.containers();
    Object.assign(exited ?? {}, { state: ContainerState.CONTAINER_UNKNOWN });
    scene.forget();
    await collect();
    expect(scene.story()).toEqual(['stop main 30', 'remove main']);
  });

  it('period: 1 minute', async () => {
    scene = await PodScene.open({ options: { '@podwright/container-gc': { maxContainers: 0 } } });
    scene.programs.set('job', { exitAfterMs: 100 });
    scene.want({ containers: [container('job'), container('main')], restartPolicy: 'OnFailure' });
    await scene.pass(10_000);
    expect(records('job')).toEqual([0]);
    await scene.node.until(() => records('job').length === 0, 60_000);
  });

  it('before sources are ready: no pod is removed', async () => {
    scene = await PodScene.open();
    scene.want({ restartPolicy: 'Never' });
    await scene.ready();
    await scene.node.kill();
    scene.node.runtime.control.exitContainer(scene.record('main')?.id ?? '', 0);
    await scene.node.boot({}, new MemoryPodSource('api'));
    await scene.pass(130_000);
    expect(records()).toEqual([0]);
  });
});
