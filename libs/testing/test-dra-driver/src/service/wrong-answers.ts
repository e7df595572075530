import type { PluginFault } from '@podwright/plugin-faults';
import type { DraFault } from '../faults/dra-faults.js';

interface ClaimAnswers<Answer extends { readonly error: string }> {
  readonly claims: { readonly [uid: string]: Answer };
}

export function isPluginFault(fault: DraFault): fault is PluginFault {
  return ['status', 'delay', 'hang', 'die'].includes(fault.type);
}

/** The answer as the fault wants it; `empty` is the answer for a claim without devices. */
export function distorted<Answer extends { readonly error: string }>(
  answers: ClaimAnswers<Answer>,
  empty: Answer,
  fault: DraFault | undefined,
): { claims: Record<string, Answer> } {
  const { claims } = answers;
  switch (fault?.type) {
    case 'claim-error':
      return {
        claims: Object.fromEntries(Object.keys(claims).map((uid) => [uid, { ...empty, error: fault.message }])),
      };
    case 'skip-claims':
      return { claims: {} };
    case 'unknown-claim':
      return { claims: { ...claims, 'nobody-asked': empty } };
    default:
      return { claims: { ...claims } };
  }
}
