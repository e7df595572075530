import { describe, expect, it } from '@jest/globals';
import { podUid, type Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import type { PodWorkerSync } from '@podwright/pod-workers-interface';
import { describeHousekeepingStepContract, housekeepingPods, passOf } from '@podwright/sync-loop-interface/contract';
import { settleEventLoop } from '@podwright/time';
import { OrphanedMirrorPods, type OrphanedMirrorPodsDeps } from './orphaned-mirror-pods.js';

const mirror = (name: string): Pod => ({
  metadata: {
    name,
    namespace: 'default',
    uid: `mirror-${name}`,
    annotations: { 'kubernetes.io/config.mirror': 'hash' },
  },
  spec: { containers: [] },
});

/** Static pods by name. */
function setUp(statics: readonly string[], deps: Partial<OrphanedMirrorPodsDeps> = {}) {
  const deletions: string[] = [];
  const logger = createMemoryLogger();
  const step = new OrphanedMirrorPods({
    client: { delete: async (fullName, uid) => deletions.push(`${fullName} ${uid}`) > 0 },
    pods: { getPodOfMirror: ({ metadata }) => (statics.includes(metadata.name ?? '') ? mirror('static') : undefined) },
    logger,
    ...deps,
  });
  return { step, deletions, logger };
}
const worker = (state: PodWorkerSync['state'], fullName: string): ReadonlyMap<string, PodWorkerSync> =>
  new Map([['old', { state, orphan: true, fullName, restartRequested: false, hasConfig: true, static: true }]]);

describe('orphaned mirror pods', () => {
  it('go once their static pod is gone', () => {
    const { step, deletions } = setUp(['a']);
    step.clean(passOf([], { mirrorPods: [mirror('a'), mirror('gone')] }));
    expect(deletions).toEqual(['gone_default mirror-gone']);
  });

  it.each<[PodWorkerSync['state'], readonly string[]]>([
    ['terminating', []],
    ['terminated', ['gone_default mirror-gone']],
  ])('of a removed static pod that is %s', (state, expected) => {
    const { step, deletions } = setUp([]);
    step.clean(passOf([], { mirrorPods: [mirror('gone')], workers: worker(state, 'gone_default') }));
    expect(deletions).toEqual(expected);
  });

  it('are deleted once while the server does not answer', () => {
    let asked = 0;
    const { step } = setUp([], { client: { delete: () => ((asked += 1), new Promise(() => undefined)) } });
    for (let pass = 0; pass < 2; pass += 1) step.clean(passOf([], { mirrorPods: [mirror('gone')] }));
    expect(asked).toBe(1);
  });

  it('that cannot be deleted are logged, and deleted by a later pass', async () => {
    let asked = 0;
    const client = { delete: () => ((asked += 1), Promise.reject(new Error('no'))) };
    const { step, logger } = setUp([], { client });
    for (let pass = 0; pass < 2; pass += 1) {
      step.clean(passOf([], { mirrorPods: [mirror('gone')] }));
      await settleEventLoop();
    }
    expect(asked).toBe(2);
    expect(logger.messages('error')).toEqual(Array(2).fill('Encountered error when deleting mirror pod'));
  });
});

describeHousekeepingStepContract('OrphanedMirrorPods', () => {
  const uids: readonly string[] = Object.values(housekeepingPods);
  const mirrors = new Map(uids.map((uid) => [uid, { ...mirror(uid), metadata: { ...mirror(uid).metadata, uid } }]));
  let desired: readonly Pod[] = [];
  const { step } = setUp([], {
    client: { delete: async (_fullName, uid = '') => mirrors.delete(uid) },
    pods: { getPodOfMirror: (mirrorPod) => desired.find((pod) => podUid(pod) === podUid(mirrorPod)) },
  });
  const clean: typeof step.clean = (pass) => {
    ({ desired } = pass);
    return step.clean({ ...pass, mirrorPods: [...mirrors.values()] });
  };
  return { step: { ...step, stage: step.stage, failure: step.failure, clean }, left: () => [...mirrors.keys()] };
});
