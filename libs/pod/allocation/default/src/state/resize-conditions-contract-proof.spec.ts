import type { ResizeConditionChange, ResizeConditions } from '@podwright/allocation-interface';
import { describeResizeConditionsContract } from '@podwright/allocation-interface/contract';
import type { ResizeConditionsHarness } from '@podwright/allocation-interface/contract';
import { breaksIn, describeContractProof } from '@podwright/contract';
import type { PodCondition } from '@podwright/kube-types';
import { createConditionsHarness } from '../fixtures/allocation-harness.js';

type Broken = (good: ResizeConditionsHarness) => Partial<ResizeConditionsHarness>;

const broken = (replaced: (good: ResizeConditions) => Partial<ResizeConditions>): Broken =>
  breaksIn('conditions', replaced);
const showing = (change: (conditions: readonly PodCondition[]) => readonly PodCondition[]): Broken =>
  broken((good) => ({ of: (podUid) => change(good.of(podUid)) }));
const each = (change: (condition: PodCondition) => Partial<PodCondition>): Broken =>
  showing((conditions) => conditions.map((condition) => ({ ...condition, ...change(condition) })));
const ofPending = (change: Partial<PodCondition>): Broken =>
  each(({ type }) => (type === 'PodResizePending' ? change : {}));
const ofProgress = (change: Partial<PodCondition>): Broken =>
  each(({ type }) => (type === 'PodResizeInProgress' ? change : {}));
const changing = (
  name: 'setPending' | 'setInProgress',
  change: (outcome: ResizeConditionChange, call: number) => Partial<ResizeConditionChange>,
): Broken =>
  broken((good) => {
    let calls = 0;
    const changed = (outcome: ResizeConditionChange): ResizeConditionChange => ({
      ...outcome,
      ...change(outcome, ++calls),
    });
    return {
      setPending: (...args) => (name === 'setPending' ? changed(good.setPending(...args)) : good.setPending(...args)),
      setInProgress: (...args) =>
        name === 'setInProgress' ? changed(good.setInProgress(...args)) : good.setInProgress(...args),
    };
  });
const progressStays = broken((good) => ({
  clearInProgress: () => ({ changed: true, generation: good.of('uid-a')[0]?.observedGeneration ?? 0 }),
}));
/** The transition time moves whenever this part of a condition does. */
const movesWith = (part: 'message' | 'observedGeneration'): Broken =>
  each((condition) => ({ lastTransitionTime: `${condition[part]}` }));
const condition = { type: 'PodResizePending', status: 'True' };
let looks = 0;

describeContractProof(
  'ResizeConditions',
  (create) => describeResizeConditionsContract('broken ResizeConditions', create),
  createConditionsHarness,
  {
    'has nothing to say about a pod that is not resized': {
      'it shows a condition': showing(() => [condition]),
      'it clears what is not pending': broken(() => ({ clearPending: () => true })),
      'it clears what is not in progress': broken(() => ({
        clearInProgress: () => ({ changed: true, generation: 0 }),
      })),
      'it lists the pod': broken(() => ({ podUids: () => ['uid-a'] })),
    },
    'shows pending before in progress, each with reason, message and generation': {
      'progress comes first': showing((conditions) => conditions.toReversed()),
      'there are more': showing((conditions) => [...conditions, condition]),
      'pending is not told': changing('setPending', () => ({ changed: false })),
      'pending is told of another generation': changing('setPending', () => ({ generation: 1 })),
      'progress is not told': changing('setInProgress', () => ({ changed: false })),
      'progress is told of another generation': changing('setInProgress', () => ({ generation: 2 })),
      'pending is false': ofPending({ status: 'False' }),
      'pending has another reason': ofPending({ reason: 'Infeasible' }),
      'pending has another message': ofPending({ message: '' }),
      'pending is of another generation': ofPending({ observedGeneration: 1 }),
      'progress is false': ofProgress({ status: 'False' }),
      'progress is of another generation': ofProgress({ observedGeneration: 2 }),
      'progress has an empty reason': ofProgress({ reason: '' }),
    },
    'tells a new reason or generation of pending, not a new message': {
      'a new message is told': changing('setPending', () => ({ changed: true })),
      'a new message is not kept': ofPending({ message: 'a' }),
      'a new generation is not told': changing('setPending', (_outcome, call) =>
        call === 3 ? { changed: false } : {},
      ),
      'a new reason is not told': changing('setPending', (_outcome, call) => (call === 4 ? { changed: false } : {})),
    },
    'keeps an error and the generation until the progress is cleared': {
      'progress without an error is told': changing('setInProgress', () => ({ changed: true })),
      'progress is told of the new generation': changing('setInProgress', () => ({ generation: 2 })),
      'the error goes': ofProgress({ reason: '' }),
      'the message of the error goes': ofProgress({ message: '' }),
      'the generation moves': ofProgress({ observedGeneration: 2 }),
      'a new error is not told': changing('setInProgress', (_outcome, call) => (call === 3 ? { changed: false } : {})),
      'that it was cleared is not told': broken((good) => ({
        clearInProgress: (podUid) => ({ ...good.clearInProgress(podUid), changed: false }),
      })),
      'it is cleared for another generation': broken((good) => ({
        clearInProgress: (podUid) => ({ ...good.clearInProgress(podUid), generation: 2 }),
      })),
      'it is not cleared': progressStays,
    },
    'moves the transition time with the reason alone': {
      'it never moves': each(() => ({ lastTransitionTime: '2026-01-01T00:00:00Z' })),
      'it moves with the message': movesWith('message'),
      'it moves with the generation': movesWith('observedGeneration'),
    },
    'keeps the probe time while it says the same': {
      'it has none': each(() => ({ lastProbeTime: undefined as never })),
      'it moves with each look': each(() => ({ lastProbeTime: `look ${(looks += 1)}` })),
      'it never moves': each(() => ({ lastProbeTime: '2026-01-01T00:00:00Z' })),
    },
    'takes over what the API shows, but never over its own knowledge': {
      'it takes nothing over': broken(() => ({ backfill: () => undefined })),
      'it takes all conditions over': showing((conditions) => [...conditions, { type: 'Ready', status: 'True' }]),
      'what the API shows counts': ofPending({ reason: 'Deferred' }),
    },
    forgets: {
      'it keeps all': broken(() => ({ forget: () => undefined })),
      'it still shows the conditions': showing(() => [condition]),
      'it lists no pod': broken(() => ({ podUids: () => [] })),
      'it still lists the pod': broken(() => ({ podUids: () => ['uid-a'] })),
    },
  },
);
