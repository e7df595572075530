import { describe, expect, it } from '@jest/globals';
import type { Pod, PodStatus } from '@podwright/kube-types';
import type { PodWorkerSync } from '@podwright/pod-workers-interface';
import type { HousekeepingStep } from '@podwright/sync-loop-interface';
import type { SyncLoopNeeds } from './sync-loop-needs.js';
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
    await world.handler.handlePodCleanups();
    expect(world.steps).toEqual([
      'syncKnownPods a,back',
      'list',
      'list fresh',
      'clean probes',
      'clean statuses',
      'clean allocations',
      'clean actuated',
      'clean users',
      'clean directories',
      'clean mirror-pods',
      'create back',
      'kill-running stray grace=1',
      'clean cgroups',
      'clean last',
    ]);
  });

  it('ends and restarts nothing but static pods of ready sources while others are not ready', async () => {
    const world = createWorld();
    const from = (source: string): Pod['metadata'] => ({ annotations: { 'kubernetes.io/config.source': source } });
    const pods = [pod('a', undefined, from('file')), pod('back', undefined, from('file'))];
    await want(world, ...pods, pod('web', undefined, from('http')), pod('api', undefined, from('api')));
    for (const uid of ['back', 'web', 'api']) world.working.delete(uid);
    world.addRunning('stray');
    await world.handler.handlePodCleanups(new Set(['file', 'api']));
    expect(world.steps).toEqual(['syncKnownPods a,back among a,back', 'create back']);
  });

  it('gives its steps what it has found', async () => {
    const world = createWorld();
    const mirror = pod('m', undefined, { annotations: { 'kubernetes.io/config.mirror': 'hash' } });
    await want(world, pod('a'), pod('back'), mirror);
    world.working.delete('back');
    world.working.set('ending', worker('terminating'));
    world.addRunning('stray');
    await world.handler.handlePodCleanups();
    const { desired, mirrorPods, workers, known, wanted, searching } = world.pass() ?? {};
    expect({ desired, mirrorPods, searching }).toEqual({
      desired: [pod('a'), pod('back')],
      mirrorPods: [mirror],
      searching: true,
    });
    expect(workers).toBe(world.working);
    expect([...(known ?? [])].sort()).toEqual(['a', 'back', 'ending', 'm']);
    expect([...(wanted ?? [])].sort()).toEqual(['a', 'back', 'ending', 'stray']);
  });

  describe('steps', () => {
    const failing = (clean: HousekeepingStep['clean'], more: Partial<HousekeepingStep> = {}): HousekeepingStep => ({
      stage: 'directories',
      failure: 'Failed cleaning up orphaned pod directories',
      clean,
      ...more,
    });

    it.each<[string, HousekeepingStep['clean']]>([
      [
        'throws',
        () => {
          throw new Error('I/O');
        },
      ],
      ['rejects', () => Promise.reject(new Error('I/O'))],
    ])('one that %s is logged, the others run, and the next pass searches', async (_how, clean) => {
      const world = createWorld((made) => ({
        steps: [
          failing(clean),
          { stage: 'last', failure: '', clean: ({ searching }) => void made().steps.push(`last ${searching}`) },
        ],
      }));
      world.addRunning('stray');
      await world.handler.handlePodCleanups();
      await world.handler.handlePodCleanups();
      expect(world.logger.messages('error')).toEqual(Array(2).fill('Failed cleaning up orphaned pod directories'));
      expect(world.updates[0]).toBe('kill-running stray grace=1');
      expect(world.steps.filter((step) => step.startsWith('last'))).toEqual(['last true', 'last true']);
    });

    it('one in the background holds nothing up, and its failure is logged when it comes', async () => {
      let fail: (error: Error) => void = () => undefined;
      const hangs = (): Promise<void> => new Promise((_resolve, reject) => (fail = reject));
      const world = createWorld(() => ({ steps: [failing(hangs, { background: true })] }));
      await world.handler.handlePodCleanups();
      expect(world.logger.messages('error')).toEqual([]);
      fail(new Error('I/O'));
      await world.advance(0);
      expect(world.logger.messages('error')).toEqual(['Failed cleaning up orphaned pod directories']);
    });

    it('one in the background that hangs is not started again', async () => {
      let started = 0;
      const hangs = (): Promise<void> => ((started += 1), new Promise(() => undefined));
      const world = createWorld(() => ({ steps: [failing(hangs, { background: true })] }));
      await world.handler.handlePodCleanups();
      await world.handler.handlePodCleanups();
      expect(started).toBe(1);
    });

    it('one with an unknown stage is refused', () => {
      const step = failing(() => undefined, { stage: 'directory' as never });
      expect(() => createWorld(() => ({ steps: [step] }))).toThrow(
        'the housekeeping step "Failed cleaning up orphaned pod directories" has the unknown stage "directory"',
      );
    });

    it('one that is not finished can ask for another search, even after the pass', async () => {
      const searches: boolean[] = [];
      let again: (() => void) | undefined;
      const world = createWorld(() => ({
        steps: [
          failing(({ searching, searchAgain }) => {
            searches.push(searching);
            again = searchAgain;
          }),
        ],
      }));
      await world.handler.handlePodCleanups();
      await world.handler.handlePodCleanups();
      again?.();
      await world.handler.handlePodCleanups();
      expect(searches).toEqual([true, false, true]);
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
    const world = createWorld(() => ({
      runtime: {
        getPods: async () => ((asked += 1) === 1 ? [stray] : []),
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

  describe('what a runtime creates for a pod that has ended', () => {
    const late = (killPod: SyncLoopNeeds['runtime']['killPod']): World => {
      const world = createWorld((made) => ({ runtime: { getPods: async () => made().running, killPod } as never }));
      world.working.set('ended', worker('terminated'));
      world.working.set('runs', worker('sync'));
      for (const uid of world.working.keys()) world.addRunning(uid);
      return world;
    };

    it('is ended, once until that is over', async () => {
      const killed: unknown[] = [];
      const over: (() => void)[] = [];
      const world = late(({ runningPod, gracePeriodSeconds }) => {
        killed.push(`${runningPod?.uid} grace=${gracePeriodSeconds}`);
        return new Promise((resolve) => over.push(() => resolve({ results: [] })));
      });
      await world.handler.handlePodCleanups();
      await world.handler.handlePodCleanups();
      expect(killed).toEqual(['ended grace=1']);
      over[0]?.();
      await Promise.resolve();
      await world.handler.handlePodCleanups();
      expect([killed.length, world.updates]).toEqual([2, []]);
    });

    it('is not what a pod had that ends while the list is made', async () => {
      const killed: unknown[] = [];
      const world: World = createWorld((made) => ({
        runtime: {
          getPods: async () => (made().working.set('runs', worker('terminated')), made().running),
          killPod: async ({ runningPod }: { runningPod: unknown }) => void killed.push(runningPod),
        } as never,
      }));
      world.working.set('runs', worker('terminating'));
      world.addRunning('runs');
      await world.handler.handlePodCleanups();
      expect(killed).toEqual([]);
    });

    it('is tried again when that failed, and the failure is logged', async () => {
      let tries = 0;
      const world = late(async () => {
        tries += 1;
        return {
          results: [{ action: 'KillPodSandbox', target: 's', error: { reason: 'KillPodSandboxError', message: 'no' } }],
        };
      });
      await world.handler.handlePodCleanups();
      await Promise.resolve();
      await world.handler.handlePodCleanups();
      expect(tries).toBe(2);
      expect(String(world.logger.entries.find(({ severity }) => severity === 'error')?.fields['error'])).toContain(
        'failed to "KillPodSandbox" for "s" with KillPodSandboxError: "no"',
      );
    });
  });

  it('wants a pod that was refused, and nothing of what an earlier kubelet gave it', async () => {
    const world = createWorld(() => ({
      allocations: refusingAllocations({ reason: 'r', message: 'm' }),
    }));
    await world.handler.handlePodAdditions([pod('a')]);
    world.working.set('ended', worker('terminated'));
    await world.handler.handlePodCleanups();
    const { wanted, possiblyRunning } = world.pass() ?? {};
    expect([[...(wanted ?? [])], [...(possiblyRunning ?? [])]]).toEqual([['a', 'ended'], ['ended']]);
  });

  it('lets a deleted pod go that has ended and of which nothing is left', async () => {
    const world = createWorld();
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    await want(
      world,
      pod('gone', { phase: 'Succeeded' }, { deletionTimestamp }),
      pod('still', { phase: 'Failed' }, { deletionTimestamp }),
      pod('kept', { phase: 'Failed' }),
      pod('refused', { phase: 'Pending' }, { deletionTimestamp }),
    );
    world.setPhase('refused', 'Failed');
    world.working.clear();
    world.addRunning('still');
    await world.handler.handlePodCleanups();
    expect(world.updates.slice(4)).toEqual(['kill gone', 'kill refused', 'kill-running still grace=1']);
  });

  it('searches the disk after a change, and otherwise every 30 s', async () => {
    const world = createWorld();
    const searches = async (): Promise<boolean | undefined> => {
      await world.handler.handlePodCleanups();
      return world.pass()?.searching;
    };
    expect([await searches(), await searches()]).toEqual([true, false]);
    await world.clock.advance(30_000);
    expect([await searches(), await searches()]).toEqual([true, false]);
    world.handler.handlePodRemoves([pod('a')]);
    expect(await searches()).toBe(true);
  });

  it('searches the disk as soon as nobody wants a pod any more, and once more', async () => {
    const world = createWorld();
    const searches = async (): Promise<readonly string[] | undefined> => {
      await world.handler.handlePodCleanups();
      const pass = world.pass();
      return pass?.searching === true ? [...pass.wanted] : undefined;
    };
    world.working.set('ending', worker('terminating'));
    expect([await searches(), await searches()]).toEqual([['ending'], undefined]);
    world.working.delete('ending');
    expect([await searches(), await searches(), await searches()]).toEqual([[], [], undefined]);
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
