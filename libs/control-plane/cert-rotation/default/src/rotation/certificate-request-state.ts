import type { RequestProgress } from '../request/await-certificate.js';

/** Where the hunt for the next certificate stands, for people. */
export type RequestState =
  | { readonly phase: 'idle' }
  /** Nothing to ask for yet. */
  | { readonly phase: 'no-template'; readonly reason: string }
  | { readonly phase: 'asking' }
  | { readonly phase: RequestProgress; readonly csr: string }
  | { readonly phase: 'failed'; readonly reason: string };

/** A sentence with the command that helps; undefined when nothing is awaited. */
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
