import type { Admission, AdmissionRefusal } from '@podwright/admission-interface';
import { resizeMessage, type AllocatedResources, type ResizeConditions } from '@podwright/allocation-interface';
import type { EventRecorder } from '@podwright/events-interface';
import { journalPod, type Journal } from '@podwright/journal-interface';
import { podUid, type Pod } from '@podwright/kube-types';

interface ResizeDecisionDeps {
  readonly admission: Admission;
  readonly allocated: AllocatedResources;
  readonly conditions: ResizeConditions;
  readonly events: EventRecorder;
  readonly journal?: Journal | undefined;
}

/** `unchanged`: the spec requests what is allocated already. */
export type ResizeOutcome = 'granted' | 'Deferred' | 'Infeasible' | 'unchanged';

/**
 * Decides one resize and records conditions, metrics and the allocation. Source: kubernetes v1.36
 * pkg/kubelet/allocation handlePodResourcesResize.
 */
export class ResizeDecision {
  constructor(
    private readonly deps: ResizeDecisionDeps,
    /** Why the resize can never be granted; undefined when it may. */
    private readonly refuse: (pod: Pod) => AdmissionRefusal | undefined,
  ) {}

  /**
   * `others`: the other pods with their allocated resources. Rejects when a granted resize cannot be stored; then it is
   * not granted.
   */
  async decide(pod: Pod, others: readonly Pod[]): Promise<ResizeOutcome> {
    const uid = podUid(pod);
    if (this.deps.allocated.withAllocation(pod) === pod) {
      this.deps.conditions.clearPending(uid);
      return 'unchanged';
    }
    const result = this.refuse(pod) ?? (await this.deps.admission.admit(pod, others, 'resize'));
    if (!result.admit) {
      const reason = result.reason === 'Infeasible' ? 'Infeasible' : 'Deferred';
      const { changed, generation } = this.deps.conditions.setPending(pod, reason, result.message);
      if (changed) {
        const { message } = result;
        this.tell(pod, 'Warning', `Resize${reason}`, resizeMessage(result.reason, pod, generation, message));
        const operation = 'resize';
        this.deps.journal?.report({ kind: 'pod.refused', pod: journalPod(pod), operation, reason, message });
      }
      return reason;
    }
    await this.deps.allocated.store(pod);
    this.deps.conditions.clearPending(uid);
    // Clears the error of an earlier resize, and gives the condition this generation.
    this.deps.conditions.clearInProgress(uid);
    const { generation } = this.deps.conditions.setInProgress(pod, '', '');
    this.tell(pod, 'Normal', 'ResizeStarted', resizeMessage('started', pod, generation));
    return 'granted';
  }

  private tell(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.deps.events.event({ kind: 'Pod', pod }, type, reason, message);
  }
}
