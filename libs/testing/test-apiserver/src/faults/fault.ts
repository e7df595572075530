import type { AuditEntry } from '../audit/request-log.js';

/** What happens to a request instead of its normal answer. */
export type Fault =
  /**
   * Answers with a Status with this code, and with `Retry-After` when `retryAfterSeconds` is set. With `done` it still
   * executes the request.
   */
  | {
      readonly type: 'status';
      readonly status: number;
      readonly done?: boolean;
      readonly reason?: string;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
    }
  /** Executes the request, but delays its answer. */
  | { readonly type: 'delay'; readonly delayMs: number }
  /** Does not answer until the client gives up. With `done` it still executes the request. */
  | { readonly type: 'hang'; readonly done?: boolean }
  /** Breaks the connection without an answer. With `done` it still executes the request. */
  | { readonly type: 'drop'; readonly done?: boolean }
  /** Breaks the connection, and executes the request `delayMs` later. */
  | { readonly type: 'late'; readonly delayMs: number }
  /** Executes the request twice, as behind a proxy that repeats it, and gives the second answer. */
  | { readonly type: 'twice' }
  /** Answers 200 with a body that is not JSON. */
  | { readonly type: 'garbage' }
  /** Sends the head of the answer and `afterBytes` (default 0) of its body, then breaks the connection. */
  | { readonly type: 'cut'; readonly afterBytes?: number };

/** Selects requests: all that match in every given field. */
export interface FaultMatch {
  readonly user?: string;
  readonly method?: string;
  readonly verb?: AuditEntry['verb'];
  /** Plural name. */
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: RegExp;
}

export function matchesRequest(match: FaultMatch, entry: AuditEntry): boolean {
  const { path, ...exact } = match;
  const fields = Object.entries(exact) as [keyof AuditEntry, unknown][];
  return (
    fields.every(([field, value]) => value === undefined || entry[field] === value) && (path?.test(entry.path) ?? true)
  );
}
