import { podRef, podUid, type Pod, type PodCondition, type PodStatus } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { PodWorkers } from '@podwright/pod-workers-interface';
import type { StatusDelivery } from '@podwright/status-interface';
import { abortable } from '@podwright/concurrency';
import type { Clock } from '@podwright/time';
import type { VolumeManager } from '@podwright/volume-interface';
import type { ShutdownGroup } from './shutdown-schedule.js';

const message = 'Pod was terminated in response to imminent node shutdown.';
// Limits the wait for the API server to accept the last statuses, in case it is gone.
const deliveryTimeoutMs = 5_000;

export interface PodShutdownDeps {
  readonly workers: Pick<PodWorkers, 'killPodNow'>;
  readonly volumes: Pick<VolumeManager, 'waitForUnmount'>;
  readonly delivery: StatusDelivery;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Terminates pods group by group. Source: kubernetes v1.36 pkg/kubelet/nodeshutdown/nodeshutdown_manager.go killPods.
 */
export class PodShutdown {
  constructor(private readonly deps: PodShutdownDeps) {}

  /**
   * Resolves when all groups have ended and their statuses are delivered, at the latest when the periods have passed.
   * Never rejects.
   */
  async end(groups: readonly ShutdownGroup[], signal: AbortSignal): Promise<void> {
    for (const group of groups) {
      if (signal.aborted) return;
      await this.endGroup(group, signal);
    }
    await this.deliver(groups.flatMap(({ pods }) => pods).map(podUid), signal);
  }

  private async endGroup(group: ShutdownGroup, signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.deps;
    const limit = clock.deadline(group.gracePeriodSeconds * 1000, signal);
    const all = Promise.all(group.pods.map((pod) => this.endPod(pod, group.gracePeriodSeconds, limit.signal)));
    try {
      await abortable(all, limit.signal);
    } catch (error) {
      // The next group has its own period; pods of this group that still run continue to terminate.
      logger.warn('Shutdown manager pod killing time out', {
        gracePeriodSeconds: group.gracePeriodSeconds,
        priority: group.priority,
        error,
      });
    } finally {
      limit.dispose();
    }
  }

  private async endPod(pod: Pod, groupSeconds: number, signal: AbortSignal): Promise<void> {
    const { workers, volumes, logger } = this.deps;
    const gracePeriodSeconds = Math.min(groupSeconds, pod.spec.terminationGracePeriodSeconds ?? groupSeconds);
    logger.debug(1, 'Shutdown manager killing pod with gracePeriod', { pod: podRef(pod), gracePeriodSeconds });
    try {
      await workers.killPodNow(pod, { gracePeriodSeconds, overrideStatus: (status) => shutdownStatus(pod, status) });
      await volumes.waitForUnmount(pod, signal);
      logger.debug(1, 'Shutdown manager finished killing pod', { pod: podRef(pod) });
    } catch (error) {
      logger.debug(1, 'Shutdown manager failed killing pod', { pod: podRef(pod), error });
    }
  }

  // Keep the lock until the API server has the reason why the pods ended.
  private async deliver(podUids: readonly string[], signal: AbortSignal): Promise<void> {
    const limit = this.deps.clock.deadline(deliveryTimeoutMs, signal);
    try {
      await this.deps.delivery.delivered(podUids, limit.signal);
    } catch (error) {
      this.deps.logger.warn('Statuses of ended pods were not delivered before the shutdown', {
        waitedMs: deliveryTimeoutMs,
        error,
      });
    } finally {
      limit.dispose();
    }
  }
}

/** Status of a pod that the shutdown terminates; a succeeded pod keeps its phase. */
export function shutdownStatus(pod: Pod, status: PodStatus): PodStatus {
  const condition: PodCondition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'TerminationByKubelet',
    message,
    ...(pod.metadata.generation !== undefined && { observedGeneration: pod.metadata.generation }),
  };
  return {
    ...status,
    ...(status.phase !== 'Succeeded' && { phase: 'Failed' }),
    message,
    reason: 'Terminated',
    conditions: [...(status.conditions ?? []).filter(({ type }) => type !== condition.type), condition],
  };
}
