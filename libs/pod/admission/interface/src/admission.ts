import { createToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';

export type AdmissionResult =
  { readonly admit: true } | { readonly admit: false; readonly reason: string; readonly message: string };

/** `resize`: the pod runs already and asks for other resources. */
export type AdmissionOperation = 'add' | 'resize';

/** Decides when a pod arrives, before it gets a worker. The first refusal wins. Source: kubernetes v1.36 pkg/kubelet/lifecycle. */
export interface Admission {
  /** `otherPods` are the active pods without `pod`. Never rejects: a failing check is a refusal with its reason. */
  admit(pod: Pod, otherPods: readonly Pod[], operation?: AdmissionOperation): Promise<AdmissionResult>;
}

export const ADMISSION = createToken<Admission>('kubelet.admission/v1');
