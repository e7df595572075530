import { createManyToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';
import type { AdmissionOperation, AdmissionResult } from './admission.js';

/** The position of a check among upstream's own checks; `last` comes after all of them. */
export type AdmissionStage = 'eviction' | 'topology' | 'node-shutdown' | 'last';

export type AdmissionRefusal = Exclude<AdmissionResult, { readonly admit: true }>;

/**
 * A manager's check of an arriving or resized pod. Checks of one stage run in the order in which their modules start.
 */
export interface AdmissionCheck {
  readonly stage: AdmissionStage;
  /**
   * Returns undefined, or resolves with it, to admit the pod. When the promise rejects, the pod is rejected with
   * UnexpectedAdmissionError. `otherPods` are the active pods without `pod`. The check must not change any pod.
   */
  check(
    pod: Pod,
    otherPods: readonly Pod[],
    operation: AdmissionOperation,
  ): Promise<AdmissionRefusal | undefined> | AdmissionRefusal | undefined;
}

/** Each manager contributes its own checks. */
export const ADMISSION_CHECKS = createManyToken<AdmissionCheck>('kubelet.admission-checks/v1');
