import { createToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

export type AdmissionResult =
  | { readonly admit: true }
  | { readonly admit: false; readonly reason: string; readonly message: string };

/** `resize`: the pod already runs, and its spec now requests other resources. */
export type AdmissionOperation = 'add' | 'resize';

/**
 * Admits or rejects a pod before it gets a worker, or a resize before it is granted. The first rejection decides.
 * Source: kubernetes v1.36 pkg/kubelet/lifecycle.
 */
export interface Admission {
  /** `otherPods` are the active pods without `pod`. The promise never rejects: a check that fails rejects the pod. */
  admit(pod: Pod, otherPods: readonly Pod[], operation?: AdmissionOperation): Promise<AdmissionResult>;
}

export const ADMISSION = createToken<Admission>('kubelet.admission/v1');
