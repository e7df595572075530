import { afterAll, beforeAll } from '@jest/globals';
import { rm } from 'node:fs/promises';
import type { AllocationDecision, AllocationManager } from '@podwright/allocation-interface';
import { describeAllocationManagerContract } from '@podwright/allocation-interface/contract';
import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { podUid, type PodCondition } from '@podwright/kube-types';
import { createAllocationHarness, temporaryDirectory, type AllocationHarness } from '../fixtures/allocation-harness.js';

type Broken = (good: AllocationHarness) => Partial<AllocationHarness> | Promise<Partial<AllocationHarness>>;

let base = '';
beforeAll(async () => {
  base = await temporaryDirectory();
});
afterAll(() => rm(base, { recursive: true, force: true }));
const create = async (): Promise<AllocationHarness> =>
  createAllocationHarness({ rootDir: await temporaryDirectory(base) });

const broken = (
  replaced: (good: AllocationManager, harness: AllocationHarness) => Partial<AllocationManager>,
): Broken => breaksIn<AllocationHarness, 'manager'>('manager', replaced);
const deciding = (change: (result: AllocationDecision['result']) => AllocationDecision['result']): Broken =>
  broken((good) => ({
    admitPod: async (pod) => {
      const { result, stored } = await good.admitPod(pod);
      return { result: change(result), stored };
    },
  }));
const allocating = (uid: string, cpu: string): Broken =>
  breaksIn('allocated', (allocated) => ({
    of: (podUid) => (podUid === uid ? { containers: { main: { requests: { cpu } } } } : allocated.of(podUid)),
  }));
const allocatesNothing: Broken = breaksIn('allocated', () => ({ of: () => undefined }));
const showing = (change: (conditions: readonly PodCondition[]) => readonly PodCondition[]): Broken =>
  breaksIn('conditions', (conditions) => ({ of: (podUid) => change(conditions.of(podUid)) }));
const showsNoCondition = showing(() => []);
const withReason = (reason: string): Broken => showing((conditions) => conditions.map((each) => ({ ...each, reason })));
const pending = (isPending: boolean): Broken => broken(() => ({ hasPendingResize: () => isPending }));
const retriesNothing = broken(() => ({ retryPendingResizes: () => Promise.resolve() }));
/** With each try it records what it recorded last once more. */
const recordsAgain = broken((good, { events }) => ({
  retryPendingResizes: async (trigger) => {
    await good.retryPendingResizes(trigger);
    events.push(...events.slice(-1));
  },
}));
const recordsNothing: Broken = () => ({ events: [] });
const noticesAfter = (updates: number, answer: boolean): Broken =>
  broken((good) => {
    let calls = 0;
    return { noticeUpdated: (...args) => (calls++ < updates ? good.noticeUpdated(...args) : answer) };
  });

describeContractProof(
  'AllocationManager',
  (make) => describeAllocationManagerContract('a broken AllocationManager', make),
  create,
  {
    'stores what it admits, and nothing for a refused pod': {
      'it admits every pod': deciding(() => ({ admit: true })),
      'it refuses every pod': deciding(() => ({ admit: false, reason: 'OutOfcpu', message: '' })),
      'it refuses for another reason': deciding((result) => ({ ...result, reason: 'OutOfmemory' })),
      'it stores nothing': allocatesNothing,
      'it stores what it refuses': allocating('uid-b', '2'),
    },
    'judges a pod that comes back by what it was granted': {
      'it judges by what the pod asks for': broken((good, { allocated }) => ({
        admitPod: async (pod) => {
          await allocated.remove(podUid(pod));
          return good.admitPod(pod);
        },
      })),
      'it grants what the pod asks for': broken((good, { allocated }) => ({
        admitPod: async (pod) => {
          const decision = await good.admitPod(pod);
          await decision.stored;
          await allocated.store(pod);
          return decision;
        },
      })),
    },
    'grants a resize that fits, and says that it began': {
      'it does not notice it': noticesAfter(0, false),
      'it notices it without doing anything': noticesAfter(0, true),
      'it does not show that it began': showsNoCondition,
      'it shows another generation': showing((conditions) =>
        conditions.map((each) => ({ ...each, observedGeneration: 1 })),
      ),
      'it stays pending': pending(true),
      'it tells nobody': broken(() => ({ watch: () => () => undefined })),
      'it tells twice': broken((good) => ({
        watch: (listener) =>
          good.watch((uid) => {
            listener(uid);
            listener(uid);
          }),
      })),
      'there is no event': recordsNothing,
    },
    'defers a resize without room, tells it once, and grants it when there is room': {
      'it grants it without room': allocating('uid-a', '3'),
      'it never grants it': allocating('uid-a', '2'),
      'it forgets it': pending(false),
      'it does not show that': showsNoCondition,
      'it shows another reason': withReason('Infeasible'),
      'there is an event with each try': recordsAgain,
    },
    'tries a deferred resize again by itself': {
      'it waits until it is asked': async () =>
        createAllocationHarness({ rootDir: await temporaryDirectory(base), config: { retryMs: 86_400_000 } }),
    },
    'queues also what is more than the node has': {
      'it forgets it': pending(false),
      'it shows nothing': showsNoCondition,
      'it shows another reason': withReason('Infeasible'),
      'there is no event': recordsNothing,
    },
    'drops a resize that was taken back': {
      'it notices a resize': broken((good) => ({ noticeUpdated: (...args) => good.noticeUpdated(...args) || true })),
      'it still shows it': showing((conditions) => [...conditions, { type: 'PodResizePending', status: 'True' }]),
    },
    'waits until all sources are ready': {
      'it does not wait': () => ({ sourcesReady: () => undefined }),
      'it waits for ever': ({ sourcesReady }) => ({ sourcesReady: () => sourcesReady(false) }),
      'it does not try again by itself': async () =>
        createAllocationHarness({ rootDir: await temporaryDirectory(base), config: { firstRetryMs: 86_400_000 } }),
    },
    'finds resizes that were asked for while no kubelet ran': {
      'it does not say so': broken((good) => ({ noticeAdded: (pods) => good.noticeAdded(pods) && false })),
      'it does not queue them': broken(() => ({ noticeAdded: () => true })),
      'it does not grant them': retriesNothing,
    },
    'can be stopped twice, and tries nothing afterwards': {
      'a second stop is refused': refusesSecondStop('manager'),
      'it goes on trying': broken(() => ({ stop: () => Promise.resolve() })),
    },
  },
);
