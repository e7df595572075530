import { describe, expect, it } from '@jest/globals';
import { describeContractProof } from '@podwright/contract';
import { createMemoryLogger } from '@podwright/logging';
import type { HousekeepingStep } from '@podwright/sync-loop-interface';
import {
  describeHousekeepingStepContract,
  housekeepingPods,
  passOf,
  type HousekeepingStepHarness,
} from '@podwright/sync-loop-interface/contract';
import { settleEventLoop } from '@podwright/time';
import { OrphanedPodCgroups } from './orphaned-pod-cgroups.js';

const { wanted, orphaned } = housekeepingPods;

function setUp(deps: Partial<ConstructorParameters<typeof OrphanedPodCgroups>[0]> = {}) {
  const uids = new Set<string>([wanted, orphaned]);
  const steps: string[] = [];
  const logger = createMemoryLogger();
  const step = new OrphanedPodCgroups({
    cgroups: {
      listPodUids: async () => [...uids],
      remove: async (uid) => void (uids.delete(uid), steps.push(`remove ${uid}`)),
    },
    volumes: { hasPossiblyMountedVolumes: async () => false },
    lifecycle: { isFinished: () => false },
    cpuReduction: { reduceCpu: async (uid) => void steps.push(`reduce cpu ${uid}`) },
    logger,
    ...deps,
  });
  let searches = 0;
  const clean = async (searching = true): Promise<void> => {
    await step.clean(passOf([wanted], { searching, searchAgain: () => void (searches += 1) }));
    await settleEventLoop();
  };
  return { step, uids, steps, logger, clean, searches: () => searches };
}

describe('cgroups of orphaned pods', () => {
  it('stay in a pass that does not search', async () => {
    const { clean, steps } = setUp();
    await clean(false);
    expect(steps).toEqual([]);
  });

  it('that cannot be removed are not asked for twice, and tried again after a failure', async () => {
    let fail: (error: Error) => void = () => undefined;
    let asked = 0;
    const cgroups = {
      listPodUids: async () => [orphaned],
      remove: () => new Promise<void>((_resolve, reject) => ((asked += 1), (fail = reject))),
    };
    const { clean, logger, searches } = setUp({ cgroups });
    await clean();
    await clean();
    expect([asked, searches()]).toEqual([1, 0]);
    fail(new Error('busy'));
    await settleEventLoop();
    expect(logger.messages('warning')).toEqual(['Cgroup of an orphaned pod could not be removed, trying again']);
    expect(searches()).toBe(1);
    await clean();
    expect(asked).toBe(2);
  });

  it('stay while the pod has volumes, with the fewest CPU shares', async () => {
    let mounted = true;
    const { clean, steps, searches } = setUp({ volumes: { hasPossiblyMountedVolumes: async () => mounted } });
    await clean();
    await clean();
    mounted = false;
    await clean();
    expect(steps).toEqual([`reduce cpu ${orphaned}`, `reduce cpu ${orphaned}`, `remove ${orphaned}`]);
    expect(searches()).toBe(2);
  });

  it('go when a late runtime made them after the end of a pod that is still wanted', async () => {
    const { clean, steps } = setUp({ lifecycle: { isFinished: (uid) => uid === wanted } });
    await clean();
    expect(steps).toEqual([`remove ${wanted}`, `remove ${orphaned}`]);
  });
});

const harness = (): HousekeepingStepHarness => {
  const { step, uids } = setUp();
  return { step, left: () => [...uids], settle: settleEventLoop };
};
describeHousekeepingStepContract('OrphanedPodCgroups', harness);

const stepWith = (change: Partial<HousekeepingStep>): (() => Partial<HousekeepingStepHarness>) => {
  return () => ({ step: { stage: 'cgroups', failure: 'Failed cleaning up', clean: () => undefined, ...change } });
};
const leaves = (clean: (uids: Set<string>, wants: ReadonlySet<string>) => void) => (): HousekeepingStepHarness => {
  const uids = new Set<string>([wanted, orphaned]);
  return {
    step: { stage: 'cgroups', failure: 'Failed cleaning up', clean: (pass) => clean(uids, pass.wanted) },
    left: () => [...uids],
  };
};
describeContractProof(
  'HousekeepingStep',
  (create) => describeHousekeepingStepContract('a broken step', create),
  harness,
  {
    'has a stage, and a message for the log when it fails': {
      'its stage does not exist': stepWith({ stage: 'first' as never }),
      'it has no message': stepWith({ failure: '' }),
    },
    'keeps what wanted pods have': {
      'it removes the state of all pods': leaves((uids) => uids.clear()),
    },
    'removes what an orphaned pod has left, and nothing else': {
      'it removes nothing': stepWith({}),
    },
    'may run again at once, with nothing left to do': {
      'its second run removes the rest': leaves((uids, wants) => {
        if (!uids.delete(orphaned) && !wants.has(orphaned)) uids.clear();
      }),
    },
  },
);
