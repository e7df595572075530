import { needs, pick, type Needs } from '@podwright/assembly-interface';
import { isTerminalPhase, podUid, type Pod } from '@podwright/kube-types';
import { POD_MANAGER } from '@podwright/pod-manager-interface';
import { POD_LIFECYCLE, type ActivePods } from '@podwright/pod-workers-interface';
import { STATUS_MANAGER } from '@podwright/status-interface';

export const activePodsNeeds = needs({
  pods: pick(POD_MANAGER, 'getPods'),
  lifecycle: pick(POD_LIFECYCLE, 'isKnownTerminated', 'isTerminationRequested'),
  statuses: pick(STATUS_MANAGER, 'getPodStatus'),
});

/** {@link ActivePods} from the pod manager, the workers' records and the statuses, computed at each call. */
export class ActivePodFilter implements ActivePods {
  constructor(private readonly deps: Needs<typeof activePodsNeeds>) {}

  list(): readonly Pod[] {
    return this.deps.pods.getPods().filter((pod) => this.isActive(pod));
  }

  private isActive(pod: Pod): boolean {
    const uid = podUid(pod);
    if (this.deps.lifecycle.isKnownTerminated(uid)) return false;
    const ended = isTerminalPhase(pod.status?.phase) || isTerminalPhase(this.deps.statuses.getPodStatus(uid)?.phase);
    // A pod under termination still holds its resources.
    return !ended || this.deps.lifecycle.isTerminationRequested(uid);
  }
}
