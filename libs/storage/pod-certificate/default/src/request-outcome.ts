import { KubeletError } from '@podwright/errors';
import type { PodCertificateRequest } from '@podwright/kube-types';
import { decodePem, formatPem } from '@podwright/x509';

/** What the signer has decided about a request. Times are wall-clock milliseconds since 1970. */
export type RequestOutcome =
  | { readonly type: 'pending' }
  | { readonly type: 'denied' | 'failed'; readonly reason: string; readonly message: string }
  | {
      readonly type: 'issued';
      readonly certificateChain: string;
      readonly beginRefreshAtMs: number;
      readonly notAfterMs: number;
    };

/** The first condition decides. Throws `data-loss` when an issued request lacks one of its times. */
export function outcomeOf({ status = {} }: PodCertificateRequest): RequestOutcome {
  for (const { type, reason = '', message = '' } of status.conditions ?? []) {
    if (type === 'Denied') return { type: 'denied', reason, message };
    if (type === 'Failed') return { type: 'failed', reason, message };
    if (type === 'Issued') {
      return {
        type: 'issued',
        // Applications need not cope with what signers may put around the blocks.
        certificateChain: decodePem(status.certificateChain ?? '')
          .map(({ der }) => formatPem('CERTIFICATE', der))
          .join(''),
        beginRefreshAtMs: timeOf('beginRefreshAt', status.beginRefreshAt),
        notAfterMs: timeOf('notAfter', status.notAfter),
      };
    }
  }
  return { type: 'pending' };
}

function timeOf(field: string, text = ''): number {
  const timeMs = Date.parse(text);
  if (!Number.isNaN(timeMs)) return timeMs;
  const message = `status.${field} of the issued PodCertificateRequest is "${text}", which is no time`;
  throw new KubeletError(message, { code: 'data-loss' });
}
