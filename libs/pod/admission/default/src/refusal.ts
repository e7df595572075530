import type { AdmissionResult } from '@podwright/admission-interface';

export type Refusal = Exclude<AdmissionResult, { readonly admit: true }>;

/** A rejection with upstream's reason and message. */
export function refusal(reason: string, message: string): Refusal {
  return { admit: false, reason, message };
}
