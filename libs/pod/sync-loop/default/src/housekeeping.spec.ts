import { describe, expect, it } from '@jest/globals';
import type { Pod, PodStatus } from '@podwright/kube-types';
import type { PodWorkerSync } from '@podwright/pod-workers-interface';
import { refusingAllocations } from './fixtures/fake-allocations.js';
import { createWorld, type World } from './fixtures/world.js';

const pod = (uid: string, status?: PodStatus, metadata: Pod['metadata'] = {}): Pod => ({
  metadata: { name: uid, namespace: 'default', uid, ...metadata },
  spec: { containers: [{ name: 'a' }] },
  ...(status && { status }),
});
const worker = (state: PodWorkerSync['state']): PodWorkerSync => ({
  state,
  orphan: false,
  fullName: '',
  restartRequested: false,
  hasConfig: true,
  static: false,
});

async function want(world: World, ...pods: readonly Pod[]): Promise<void> {
  await world.handler.handlePodAdditions(pods);
  world.steps.length = 0;
}

describe('handlePodCleanups', () => {
  it('goes through its steps in upstream order', async () => {
    const world = createWorld();
    await want(world, pod('a'), pod('back'));
    world.working.delete('back');
    world.working.set('ending', worker('terminating'));
    world.working.set('ended', worker('terminated'));
    world.addRunning('a');
    world.addRunning('stray');
    for (const uid of ['a', 'back', 'ending', 'stray', 'left']) {
      world.cgroupUids.add(uid);
      world.remembered.add(uid);
    }
    await world.handler.handlePodCleanups();
    expect(world.steps).toEqual([
      'syncKnownPods a,back',
      'list',
      'list fresh',
      'keep probes a,ending',
      'keep statuses a,back,ending,ended',
      'keep allocations a,back,ending,ended',
      'keep actuated a,back,ending,ended,stray',
      'keep users a,back,ending,ended,stray',
      'keep directories a,back,ending,ended,stray',
      'create back',
      'kill-running stray grace=1',
      'remove cgroup left',
      'forget left',
      'purge back-offs',
    ]);
  });

  describe('mirror pods', () => {
    const hash = { 'kubernetes.io/config.mirror': 'hash' };
    const mirror = (name: string): Pod => pod(`mirror-${name}`, undefined, { name, annotations: hash });
    const deletions = async (world: World): Promise<readonly string[]> => {
      await world.handler.handlePodCleanups();
      return world.steps.filter((step) => step.startsWith('delete mirror pod'));
    };

    it('go once their static pod is gone, and before new workers begin', async () => {
      const world = createWorld();
      await want(world, pod('a'), mirror('a'), mirror('gone'), pod('back'));
      world.working.delete('back');
      expect(await deletions(world)).toEqual(['delete mirror pod gone_default mirror-gone']);
      expect(world.steps.indexOf('delete mirror pod gone_default mirror-gone')).toBeLessThan(
        world.steps.indexOf('create back'),
      );
    });

    it.each<[PodWorkerSync['state'], readonly string[]]>([
      ['terminating', []],
      ['terminated', ['delete mirror pod gone_default mirror-gone']],
    ])('of a removed static pod that is %s', async (state, expected) => {
      const world = createWorld();
      await want(world, mirror('gone'));
      world.working.set('old', { ...worker(state), fullName: 'gone_default', orphan: true });
      expect(await deletions(world)).toEqual(expected);
    });

    it('are left alone without an API server', async () => {
      const world = createWorld(() => ({ mirrorPods: undefined as never }));
      await want(world, mirror('gone'));
      expect(await deletions(world)).toEqual([]);
    });

    it('that cannot be deleted are told of', async () => {
      const failing = { delete: async () => Promise.reject(new Error('no')) };
      const world = createWorld(() => ({ mirrorPods: failing }));
      await want(world, mirror('gone'));
      await world.handler.handlePodCleanups();
      await world.advance(0);
      expect(world.logger.messages('error')).toEqual(['Encountered error when deleting mirror pod']);
    });
  });

  describe('metrics', () => {
    const shown = async ({ metrics }: World, name: string): Promise<readonly string[]> =>
      (await metrics.render())
        .split('\n')
        .filter((line) => line.startsWith(name))
        .map((line) => line.slice(name.length));
    const fromFile = (uid: string): Pod =>
      pod(uid, undefined, { annotations: { 'kubernetes.io/config.source': 'file' } });

    it('tell of all series before there is a pod', async () => {
      const world = createWorld();
      await world.handler.handlePodCleanups();
      const text = await world.metrics.render();
      for (const [name, type] of [
        ['desired_pods', 'gauge'],
        ['active_pods', 'gauge'],
        ['mirror_pods', 'gauge'],
        ['working_pods', 'gauge'],
        ['restarted_pods_total', 'counter'],
        ['orphaned_runtime_pods_total', 'counter'],
      ] as const) {
        expect(text).toContain(`# TYPE kubelet_${name} ${type}\n`);
        expect(text).toMatch(new RegExp(`# HELP kubelet_${name} \\[ALPHA\\] (The n|N)umber of `));
      }
      const static2 = ['{static=""} 0', '{static="true"} 0'];
      expect(await shown(world, 'kubelet_desired_pods')).toEqual(static2);
      expect(await shown(world, 'kubelet_active_pods')).toEqual(static2);
      expect(await shown(world, 'kubelet_restarted_pods_total')).toEqual(static2);
      expect(await shown(world, 'kubelet_mirror_pods')).toEqual([' 0']);
      expect(await shown(world, 'kubelet_orphaned_runtime_pods_total')).toEqual([' 0']);
      expect(await shown(world, 'kubelet_working_pods')).toHaveLength(15);
    });

    it('count pods, workers, restarts and strays', async () => {
      const world = createWorld();
      const mirror = pod('m', undefined, { annotations: { 'kubernetes.io/config.mirror': 'hash' } });
      await want(world, pod('a'), pod('back'), pod('ended'), fromFile('s'), fromFile('again'), mirror);
      for (const uid of ['back', 'again']) world.working.delete(uid);
      world.working.set('s', { ...worker('sync'), static: true });
      world.working.set('ended', worker('terminated'));
      world.working.set('orphan', { ...worker('terminating'), orphan: true });
      world.working.set('old-s', { ...worker('terminated'), orphan: true, static: true });
      world.working.set('runtime', { ...worker('terminating'), orphan: true, hasConfig: false });
      world.addRunning('stray');
      await world.handler.handlePodCleanups();
      expect(await shown(world, 'kubelet_desired_pods')).toEqual(['{static=""} 3', '{static="true"} 2']);
      expect(await shown(world, 'kubelet_active_pods')).toEqual(['{static=""} 2', '{static="true"} 2']);
      expect(await shown(world, 'kubelet_mirror_pods')).toEqual([' 1']);
      expect(await shown(world, 'kubelet_restarted_pods_total')).toEqual(['{static=""} 1', '{static="true"} 1']);
      expect(await shown(world, 'kubelet_orphaned_runtime_pods_total')).toEqual([' 1']);
      const working = (await shown(world, 'kubelet_working_pods')).filter((line) => !line.endsWith(' 0'));
      expect(working.sort()).toEqual([
        '{config="desired",lifecycle="sync",static=""} 2',
        '{config="desired",lifecycle="sync",static="true"} 2',
        '{config="desired",lifecycle="terminated",static=""} 1',
        '{config="orphan",lifecycle="terminated",static="true"} 1',
        '{config="orphan",lifecycle="terminating",static=""} 1',
        '{config="runtime_only",lifecycle="terminating",static="unknown"} 2',
      ]);
      world.working.set('stray', { ...worker('terminating'), orphan: true, hasConfig: false });
      await world.handler.handlePodCleanups();
      expect(await shown(world, 'kubelet_restarted_pods_total')).toEqual(['{static=""} 1', '{static="true"} 1']);
      expect(await shown(world, 'kubelet_orphaned_runtime_pods_total')).toEqual([' 1']);
    });
  });

  it('does not kill the containers of a pod that came back with the same UID', async () => {
    const world = createWorld();
    await want(world, pod('a'));
    world.working.clear();
    world.addRunning('a');
    await world.handler.handlePodCleanups();
    expect(world.updates.slice(1)).toEqual(['create a']);
  });

  it('confirms what looks like a stray pod before it kills', async () => {
    let asked = 0;
    const stray = { uid: 'stray', name: '', namespace: '', containers: [], sandboxes: [] };
    const world = createWorld((made) => ({
      runtime: {
        getPods: async () => ((asked += 1) === 1 ? [stray] : []),
        purgeBackOffs: () => void made().steps.push('purge'),
      } as never,
    }));
    await world.handler.handlePodCleanups();
    expect(asked).toBe(2);
    expect(world.updates).toEqual([]);
  });

  it.each([
    ['in the API', pod('a', { phase: 'Failed' })],
    ['in the status manager', pod('b')],
  ])('gives no new worker to a pod that has ended %s', async (_name, ended) => {
    const world = createWorld();
    await want(world, ended);
    world.working.clear();
    world.setPhase('b', 'Succeeded');
    await world.handler.handlePodCleanups();
    expect(world.updates.slice(1)).toEqual([]);
  });

  it('kills the containers of a pod that was refused, as those of a stray one', async () => {
    const world = createWorld(() => ({
      allocations: refusingAllocations({ reason: 'r', message: 'm' }),
    }));
    world.addRunning('a');
    await world.handler.handlePodAdditions([pod('a')]);
    await world.handler.handlePodCleanups();
    expect(world.updates).toEqual(['kill-running a grace=1']);
  });

  it('lets a deleted pod go that has ended and of which nothing is left', async () => {
    const world = createWorld();
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    await want(
      world,
      pod('gone', { phase: 'Succeeded' }, { deletionTimestamp }),
      pod('still', { phase: 'Failed' }, { deletionTimestamp }),
      pod('kept', { phase: 'Failed' }),
    );
    world.working.clear();
    world.addRunning('still');
    await world.handler.handlePodCleanups();
    expect(world.updates.slice(3)).toEqual(['kill gone', 'kill-running still grace=1']);
  });

  it('searches the disk after a change, and otherwise every 30 s', async () => {
    const world = createWorld();
    const searches = () => world.steps.filter((step) => step.startsWith('keep directories')).length;
    await world.handler.handlePodCleanups();
    await world.handler.handlePodCleanups();
    expect(searches()).toBe(1);
    await world.clock.advance(30_000);
    await world.handler.handlePodCleanups();
    expect(searches()).toBe(2);
    world.handler.handlePodRemoves([pod('a')]);
    await world.handler.handlePodCleanups();
    expect(searches()).toBe(3);
  });

  it('searches the disk as soon as nobody wants a pod any more', async () => {
    const world = createWorld();
    const searches = () => world.steps.filter((step) => step.startsWith('keep directories'));
    world.working.set('ending', worker('terminating'));
    await world.handler.handlePodCleanups();
    await world.handler.handlePodCleanups();
    world.working.delete('ending');
    await world.handler.handlePodCleanups();
    await world.handler.handlePodCleanups();
    expect(searches()).toEqual(['keep directories ending', 'keep directories ']);
  });

  it('does not wait for a cgroup that does not go, does not ask for it twice, and tries again after a failure', async () => {
    let fail: (error: Error) => void = () => undefined;
    let asked = 0;
    const world = createWorld((made) => ({
      cgroups: {
        listPodUids: async () => [...made().cgroupUids],
        remove: () => new Promise<void>((_resolve, reject) => ((asked += 1), (fail = reject))),
      } as never,
    }));
    world.cgroupUids.add('left');
    await world.handler.handlePodCleanups();
    world.handler.handlePodRemoves([pod('x')]);
    await world.handler.handlePodCleanups();
    expect(asked).toBe(1);
    fail(new Error('busy'));
    await world.clock.advance(0);
    expect(world.logger.messages('warning')).toEqual(['Cgroup of an orphaned pod could not be removed, trying again']);
    await world.handler.handlePodCleanups();
    expect(asked).toBe(2);
  });

  it('keeps the cgroup of an orphaned pod while it has volumes, with the fewest CPU shares', async () => {
    let mounted = true;
    const world = createWorld((made) => ({
      volumes: {
        removeOrphanedPodDirs: async () => undefined,
        hasPossiblyMountedVolumes: async () => mounted,
      } as never,
      cpuReduction: { reduceCpu: async (uid: string) => void made().steps.push(`reduce cpu ${uid}`) },
    }));
    const cgroupSteps = async (): Promise<readonly string[]> => {
      world.steps.length = 0;
      await world.handler.handlePodCleanups();
      await world.clock.advance(0);
      return world.steps.filter((step) => /cgroup|cpu/.test(step));
    };
    world.cgroupUids.add('left');
    expect(await cgroupSteps()).toEqual(['reduce cpu left']);
    expect(await cgroupSteps()).toEqual(['reduce cpu left']);
    mounted = false;
    expect(await cgroupSteps()).toEqual(['remove cgroup left']);
  });

  it('goes on without the directories when they cannot be cleaned', async () => {
    const world = createWorld(() => ({
      volumes: { removeOrphanedPodDirs: async () => Promise.reject(new Error('I/O')) } as never,
    }));
    world.addRunning('stray');
    await world.handler.handlePodCleanups();
    expect(world.logger.messages('error')).toEqual(['Failed cleaning up orphaned pod directories']);
    expect(world.updates).toEqual(['kill-running stray grace=1']);
  });

  it('logs a pass that failed, never rejects, and kills nobody then', async () => {
    const world = createWorld(() => ({
      runtime: { getPods: async () => Promise.reject(new Error('no runtime')) } as never,
    }));
    await world.handler.handlePodCleanups();
    expect(world.logger.messages('error')).toEqual(['Failed cleaning pods']);
    expect(world.updates).toEqual([]);
  });

  it('complains about a pass of more than a second', async () => {
    const world = createWorld((made) => ({
      runtime: {
        getPods: () =>
          made()
            .clock.sleep(1_500)
            .then(() => []),
        purgeBackOffs: () => undefined,
      } as never,
    }));
    const pass = world.handler.handlePodCleanups();
    await world.clock.advance(1_500);
    await pass;
    expect(world.logger.entries.at(-1)).toMatchObject({
      message: 'Housekeeping took longer than expected',
      fields: { expectedMs: 1000, actualMs: 1500 },
    });
  });
});
