import { ALLOCATED_RESOURCES, type AllocatedResources } from '@podwright/allocation-interface';
import { LOGGER, METRICS } from '@podwright/assembly-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { EVENT_RECORDER, type EventRecorder } from '@podwright/events-interface';
import { podRef, type Pod, type PodCondition, type PodStatus } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Counter, MetricsRegistry } from '@podwright/metrics';
import { ACTIVE_PODS, POD_WORKERS, type ActivePods, type PodWorkers } from '@podwright/pod-workers-interface';
import type { InsufficientResource, Preemption } from '@podwright/preemption-interface';
import { inject, injectable } from 'tsyringe';
import { chooseVictims } from './choose-victims.js';
import { formatRequirements } from './requirements.js';

const reason = 'Preempting';
const message = 'Preempted in order to admit critical pod';

/** {@link Preemption} that ends the pods whose end costs least, by the resources that active pods were granted. */
@injectable()
export class CriticalPodPreemption implements Preemption {
  private readonly preemptions: Counter;

  constructor(
    @inject(ACTIVE_PODS) private readonly activePods: ActivePods,
    @inject(ALLOCATED_RESOURCES) private readonly allocated: Pick<AllocatedResources, 'withAllocation'>,
    @inject(POD_WORKERS) private readonly workers: Pick<PodWorkers, 'killPodNow'>,
    @inject(EVENT_RECORDER) private readonly events: EventRecorder,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(METRICS) metrics: MetricsRegistry,
  ) {
    this.preemptions = metrics.counter({
      name: 'kubelet_preemptions',
      help: 'Cumulative number of pod preemptions by preemption resource',
      labels: ['preemption_signal'],
    });
  }

  async evictPodsToFreeRequests(preemptor: Pod, insufficient: readonly InsufficientResource[]): Promise<void> {
    const victims = this.choose(preemptor, insufficient);
    this.logger.info('Attempting to evict pods in order to free up resources', {
      preemptor: podRef(preemptor),
      pods: victims.map(podRef),
      insufficientResources: formatRequirements(insufficient),
    });
    for (const pod of victims) {
      this.events.event({ kind: 'Pod', pod }, 'Warning', reason, message);
      try {
        await this.workers.killPodNow(pod, { evict: true, overrideStatus: (status) => preempted(pod, status) });
      } catch (error) {
        // The pod's own worker goes on ending it.
        this.logger.error('Failed to evict pod', { pod: podRef(pod), error });
        continue;
      }
      this.preemptions.increment({ preemption_signal: insufficient[0]?.resource ?? '' });
      this.logger.info('Pod evicted successfully', { pod: podRef(pod) });
    }
  }

  private choose(preemptor: Pod, insufficient: readonly InsufficientResource[]): readonly Pod[] {
    try {
      const pods = this.activePods.list().map((pod) => this.allocated.withAllocation(pod));
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
    message,
    ...(pod.metadata.generation !== undefined && { observedGeneration: pod.metadata.generation }),
  };
  const others = (status.conditions ?? []).filter(({ type }) => type !== condition.type);
  return { ...status, phase: 'Failed', reason, message, conditions: [...others, condition] };
}

export interface CriticalPodPreemptionDeps {
  readonly activePods: ActivePods;
  readonly allocated: Pick<AllocatedResources, 'withAllocation'>;
  readonly workers: Pick<PodWorkers, 'killPodNow'>;
  readonly events: EventRecorder;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Makes one without a container. */
export function createCriticalPodPreemption({
  activePods,
  allocated,
  workers,
  events,
  logger,
  metrics,
}: CriticalPodPreemptionDeps): Preemption {
  return new CriticalPodPreemption(activePods, allocated, workers, events, logger, metrics);
}
