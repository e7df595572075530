import { createToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';
import type { AdmissionOperation, AdmissionResult } from './admission.js';

/** Where other managers take part in admission; the order of upstream's handlers is fixed, whoever comes first. */
export type AdmissionStage = 'resize' | 'eviction' | 'topology' | 'node-shutdown';

/** Resolves or returns undefined to let the pod pass. A handler that rejects refuses the pod with UnexpectedAdmissionError. */
export type AdmissionHandler = (
  pod: Pod,
  otherPods: readonly Pod[],
  operation: AdmissionOperation,
) => Promise<Exclude<AdmissionResult, { readonly admit: true }> | undefined>;

/** Checks that other managers add to admission. */
export interface AdmissionHandlers {
  /** Returns remove. Several handlers of one stage are asked in the order in which they came. */
  add(stage: AdmissionStage, handler: AdmissionHandler): () => void;
  of(stage: AdmissionStage): readonly AdmissionHandler[];
}

export const ADMISSION_HANDLERS = createToken<AdmissionHandlers>('kubelet.admission-handlers/v1');
