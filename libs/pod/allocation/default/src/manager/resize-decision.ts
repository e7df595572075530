import type { Admission } from '@podwright/admission-interface';
import { resizeMessage, type AllocatedResources, type ResizeConditions } from '@podwright/allocation-interface';
import type { EventRecorder } from '@podwright/events-interface';
import { podUid, type Pod } from '@podwright/kube-types';

/** `unchanged`: the spec asks for what was granted already. */
export type ResizeOutcome = 'granted' | 'Deferred' | 'Infeasible' | 'unchanged';

/** Judges one resize and keeps the books. Source: kubernetes v1.36 pkg/kubelet/allocation handlePodResourcesResize. */
export class ResizeDecision {
  constructor(
    private readonly admission: Admission,
    private readonly allocated: AllocatedResources,
    private readonly conditions: ResizeConditions,
    private readonly events: EventRecorder,
  ) {}

  /** `others` have their allocated resources. Rejects when a granted resize cannot be stored; nothing is granted then. */
  async decide(pod: Pod, others: readonly Pod[]): Promise<ResizeOutcome> {
    const uid = podUid(pod);
    if (this.allocated.withAllocation(pod) === pod) {
      this.conditions.clearPending(uid);
      return 'unchanged';
    }
    const result = await this.admission.admit(pod, others, 'resize');
    if (!result.admit) {
      const reason = result.reason === 'Infeasible' ? 'Infeasible' : 'Deferred';
      const { changed, generation } = this.conditions.setPending(pod, reason, result.message);
      if (changed) this.tell(pod, 'Warning', `Resize${reason}`, resizeMessage(reason, pod, generation, result.message));
      return reason;
    }
    await this.allocated.store(pod);
    this.conditions.clearPending(uid);
    // Takes an error of an earlier resize away, and gives the condition the generation of this one.
    this.conditions.clearInProgress(uid);
    const { generation } = this.conditions.setInProgress(pod, '', '');
    this.tell(pod, 'Normal', 'ResizeStarted', resizeMessage('started', pod, generation));
    return 'granted';
  }

  private tell(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.events.event({ kind: 'Pod', pod }, type, reason, message);
  }
}
