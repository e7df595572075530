import { podUid, type Pod } from '@podwright/kube-types';
import { POD_MANAGER, type PodManager } from '@podwright/pod-manager-interface';
import { POD_LIFECYCLE, type ActivePods, type PodLifecycle } from '@podwright/pod-workers-interface';
import { STATUS_MANAGER, type StatusManager } from '@podwright/status-interface';
import { inject, injectable } from 'tsyringe';

const isTerminal = (phase: string | undefined): boolean => phase === 'Succeeded' || phase === 'Failed';

/** {@link ActivePods} that asks the pod manager, the workers' records and the statuses at each call. */
@injectable()
export class ActivePodFilter implements ActivePods {
  constructor(
    @inject(POD_MANAGER) private readonly pods: PodManager,
    @inject(POD_LIFECYCLE) private readonly lifecycle: PodLifecycle,
    @inject(STATUS_MANAGER) private readonly statuses: StatusManager,
  ) {}

  list(): readonly Pod[] {
    return this.pods.getPods().filter((pod) => this.isActive(pod));
  }

  private isActive(pod: Pod): boolean {
    const uid = podUid(pod);
    if (this.lifecycle.isKnownTerminated(uid)) return false;
    const ended = isTerminal(pod.status?.phase) || isTerminal(this.statuses.getPodStatus(uid)?.phase);
    // What is ending still holds what it was given.
    return !ended || this.lifecycle.isTerminationRequested(uid);
  }
}

/** Makes one without a container. */
export function createActivePods(pods: PodManager, lifecycle: PodLifecycle, statuses: StatusManager): ActivePods {
  return new ActivePodFilter(pods, lifecycle, statuses);
}
