import { ALLOCATED_RESOURCES } from '@podwright/allocation-interface';
import { LOGGER, METRICS, needs, pick, type Needs } from '@podwright/assembly-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { podRef, type Pod, type PodCondition, type PodStatus } from '@podwright/kube-types';
import type { Counter } from '@podwright/metrics';
import { ACTIVE_PODS, POD_WORKERS } from '@podwright/pod-workers-interface';
import type { InsufficientResource, Preemption } from '@podwright/preemption-interface';
import { chooseVictims } from './choose-victims.js';
import { formatRequirements } from './requirements.js';

const reason = 'Preempting';
const message = 'Preempted in order to admit critical pod';
const conditionMessage = 'Pod was preempted by Kubelet to accommodate a critical pod.';

export const preemptionNeeds = needs({
  activePods: ACTIVE_PODS,
  allocated: pick(ALLOCATED_RESOURCES, 'withAllocation'),
  workers: pick(POD_WORKERS, 'killPodNow'),
  events: EVENT_RECORDER,
  logger: LOGGER,
  metrics: METRICS,
});
export type PreemptionNeeds = Needs<typeof preemptionNeeds>;

/** {@link Preemption} that evicts the least important pods, by the allocated resources of active pods. */
export class CriticalPodPreemption implements Preemption {
  private readonly preemptions: Counter;

  constructor(private readonly deps: PreemptionNeeds) {
    this.preemptions = deps.metrics.counter({
      name: 'kubelet_preemptions',
      help: 'Cumulative number of pod preemptions by preemption resource',
      labels: ['preemption_signal'],
    });
  }

  async evictPodsToFreeRequests(preemptor: Pod, insufficient: readonly InsufficientResource[]): Promise<void> {
    const victims = this.choose(preemptor, insufficient);
    this.deps.logger.info('Attempting to evict pods in order to free up resources', {
      preemptor: podRef(preemptor),
      pods: victims.map(podRef),
      insufficientResources: formatRequirements(insufficient),
    });
    for (const pod of victims) {
      this.deps.events.event({ kind: 'Pod', pod }, 'Warning', reason, message);
      try {
        await this.deps.workers.killPodNow(pod, { evict: true, overrideStatus: (status) => preempted(pod, status) });
      } catch (error) {
        // The pod's worker continues to terminate it.
        this.deps.logger.error('Failed to evict pod', { pod: podRef(pod), error });
        continue;
      }
      this.preemptions.increment({ preemption_signal: insufficient[0]?.resource ?? '' });
      this.deps.logger.info('Pod evicted successfully', { pod: podRef(pod) });
    }
  }

  private choose(preemptor: Pod, insufficient: readonly InsufficientResource[]): readonly Pod[] {
    try {
      const pods = this.deps.activePods.list().map((pod) => this.deps.allocated.withAllocation(pod));
      return chooseVictims(preemptor, pods, insufficient);
    } catch (error) {
      throw new KubeletError(`preemption: error finding a set of pods to preempt: ${messageOf(error)}`, {
        code: 'failed-precondition',
        cause: error,
      });
    }
  }
}

function preempted(pod: Pod, status: PodStatus): PodStatus {
  const condition: PodCondition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'TerminationByKubelet',
    message: conditionMessage,
    ...(pod.metadata.generation !== undefined && { observedGeneration: pod.metadata.generation }),
  };
  const others = (status.conditions ?? []).filter(({ type }) => type !== condition.type);
  return { ...status, phase: 'Failed', reason, message, conditions: [...others, condition] };
}
