import { breaksIn, describeContractProof } from '@podwright/contract';
import type { Pod, PodSpec, PodStatus } from '@podwright/kube-types';
import type { Preemption } from '@podwright/preemption-interface';
import { describePreemptionContract } from '@podwright/preemption-interface/contract';
import { harness, type CriticalPodPreemptionHarness as Harness } from './fixtures/preemption-harness.js';

type Broken = (good: Harness, pods: readonly Pod[], stubborn?: readonly string[]) => Partial<Harness>;

const broken = (replaced: (good: Preemption, harness: Harness) => Partial<Preemption>): Broken =>
  breaksIn('preemption', replaced);
/** It frees another amount than was asked for. */
const freeing = (amount: (missing: bigint) => bigint): Broken =>
  broken((good) => ({
    evictPodsToFreeRequests: (preemptor, insufficient) =>
      good.evictPodsToFreeRequests(
        preemptor,
        insufficient.map((each) => ({ ...each, missing: amount(each.missing) })),
      ),
  }));
/** It sees other pods than there are. */
const seeing =
  (change: (pod: Pod) => Pod | undefined): Broken =>
  (_good, pods, stubborn) =>
    harness(
      pods.flatMap((pod) => change(pod) ?? []),
      stubborn,
    );
const withSpec = (change: (spec: PodSpec) => Partial<PodSpec>): Broken =>
  seeing((pod) => ({ ...pod, spec: { ...pod.spec, ...change(pod.spec) } }));
const writing = (change: (status: PodStatus) => PodStatus): Broken =>
  broken((good, { statuses }) => ({
    evictPodsToFreeRequests: async (preemptor, insufficient) => {
      await good.evictPodsToFreeRequests(preemptor, insufficient);
      for (const [name, status] of statuses) statuses.set(name, change(status));
    },
  }));
const withConditions = (change: (condition: object) => object): Broken =>
  writing((status) => ({
    ...status,
    conditions: status.conditions?.map((each) => ({ ...each, ...change(each) })) ?? [],
  }));
const onRejection = (instead: (error: unknown, harness: Harness) => Promise<void>): Broken =>
  broken((good, whole) => ({
    evictPodsToFreeRequests: (preemptor, insufficient) =>
      good.evictPodsToFreeRequests(preemptor, insufficient).catch((error: unknown) => instead(error, whole)),
  }));

const endsOnly =
  (name: string): Broken =>
  (_good, pods, stubborn) => {
    const alone = harness(
      pods.filter(({ metadata }) => metadata.name === name),
      stubborn,
    );
    return { ...alone, ...freeing((missing) => missing / 2n)(alone, pods) };
  };
const endsNothing = broken(() => ({ evictPodsToFreeRequests: () => Promise.resolve() }));
const endsOneAndRejects = onRejection(async (error, { ended }) => {
  ended.push('a');
  throw error;
});

describeContractProof(
  'Preemption',
  (create) => describePreemptionContract('a broken Preemption', create),
  async (pods: readonly Pod[], stubborn?: readonly string[]) => harness(pods, stubborn),
  {
    'ends nothing when nothing is missing': {
      'it ends a pod': broken((good) => ({
        evictPodsToFreeRequests: (preemptor) =>
          good.evictPodsToFreeRequests(preemptor, [{ resource: 'cpu', missing: 1n }]),
      })),
    },
    'ends one pod that is enough': {
      'it ends none': endsNothing,
      'it ends another one too': freeing((missing) => 2n * missing),
      'it ends a smaller one': seeing((pod) => (pod.metadata.name === 'big' ? undefined : pod)),
    },
    'says why a pod was ended': {
      'the pod has not failed': writing(({ phase: _phase, ...status }) => status),
      'the reason differs': writing((status) => ({ ...status, reason: 'Evicted' })),
      'the message differs': writing((status) => ({ ...status, message: 'evicted' })),
      'there is no condition': writing((status) => ({ ...status, conditions: [] })),
      'the condition is false': withConditions(() => ({ status: 'False' })),
      'the condition has another reason': withConditions(() => ({ reason: 'PreemptionByScheduler' })),
      'the condition has another message': withConditions(() => ({ message: 'evicted' })),
      'the condition is of another generation': withConditions(() => ({ observedGeneration: 2 })),
    },
    'rejects and ends nothing when there are only %s': {
      'it resolves': onRejection(() => Promise.resolve()),
      'it rejects with another message': onRejection(() => Promise.reject(new Error('no room'))),
      'it ends a pod before it rejects': endsOneAndRejects,
    },
    'rejects and ends nothing when there are only critical pods': {
      'it ends pods of critical priority': withSpec(() => ({ priority: 0 })),
      'it ends static pods': seeing(({ metadata: { annotations: _annotations, ...metadata }, ...pod }) => ({
        ...pod,
        metadata,
      })),
    },
    'ends a critical pod of lower priority': {
      'it spares every critical pod': endsNothing,
      'it ends the one of higher priority': withSpec(({ priority = 0 }) => ({ priority: 4_000_001_000 - priority })),
    },
    'spares Guaranteed pods, then Burstable ones': {
      'it spares every pod': endsNothing,
      'it ends more than it must': freeing((missing) => missing + 1_000n),
      'it ends the Guaranteed pod first': seeing((pod) => (pod.metadata.name === 'b' ? undefined : pod)),
      'it ends a Burstable pod to make a place': seeing((pod) => (pod.metadata.name === 'be' ? undefined : pod)),
    },
    'skips a pod that cannot be ended': {
      'it rejects': broken((good) => ({
        evictPodsToFreeRequests: async (preemptor, insufficient) => {
          await good.evictPodsToFreeRequests(preemptor, insufficient);
          throw new Error('timeout waiting to kill pod');
        },
      })),
      'it ends no other after it': endsOnly('a'),
      'it does not try to end it': endsOnly('b'),
    },
  },
);
