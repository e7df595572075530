import type { AuditEntry } from '../audit/request-log.js';

/** What becomes of a request instead of, or on the way to, its answer. */
export type Fault =
  /** A Status with this code. `Retry-After` when `retryAfterSeconds` is given. */
  | {
      readonly type: 'status';
      readonly status: number;
      readonly reason?: string;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
    }
  /** The answer comes that much later; the request is done before. */
  | { readonly type: 'delay'; readonly delayMs: number }
  /** No answer until the client gives up. With `done` the request is carried out all the same. */
  | { readonly type: 'hang'; readonly done?: boolean }
  /** The connection breaks without an answer. With `done` the request is carried out all the same. */
  | { readonly type: 'drop'; readonly done?: boolean }
  /** 200 and a body that is no JSON. */
  | { readonly type: 'garbage' }
  /** The head of the answer and so many bytes of its body (0 when absent), then the connection breaks. */
  | { readonly type: 'cut'; readonly afterBytes?: number };

/** Which requests a fault befalls: all that fit in every field given. */
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
