import type { RequestProgress } from '../request/await-certificate.js';

/** State of the request for the next certificate, for messages. */
export type RequestState =
  | { readonly phase: 'idle' }
  /** There is nothing to request yet. */
  | { readonly phase: 'no-template'; readonly reason: string }
  | { readonly phase: 'asking' }
  | { readonly phase: RequestProgress; readonly csr: string }
  | { readonly phase: 'failed'; readonly reason: string };

/** A sentence with a command that helps; undefined when no request is pending. */
export function describeRequestState(what: string, state: RequestState): string | undefined {
  switch (state.phase) {
    case 'idle':
      return undefined;
    case 'no-template':
      return `no ${what} is asked for yet: ${state.reason}`;
    case 'asking':
      return `the ${what} is being asked for`;
    case 'pending':
      return `the request ${state.csr} for the ${what} waits for approval: kubectl certificate approve ${state.csr}`;
    case 'approved':
      return `the request ${state.csr} for the ${what} is approved, the signer has not issued the certificate yet`;
    case 'failed':
      return `the last request for the ${what} failed and is made again: ${state.reason}`;
  }
}
