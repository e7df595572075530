import { badRequest } from '../status/api-error.js';
import { decodeJson } from './request-body.js';

/** The options of a deletion, from its body or query. */
export interface DeletionOptions {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly dryRun: boolean;
}

/** Reads the options of a deletion. @throws ApiError 400 for a body that is no DeleteOptions. */
export function deletionOptions(body: Uint8Array, query: URLSearchParams): DeletionOptions {
  const given = (body.byteLength > 0 ? decodeJson(body) : {}) as Partial<DeletionOptions> & {
    readonly dryRun?: unknown;
  };
  const grace = query.get('gracePeriodSeconds');
  const gracePeriodSeconds = given.gracePeriodSeconds ?? (grace === null ? undefined : Number(grace));
  if (gracePeriodSeconds !== undefined && !Number.isInteger(gracePeriodSeconds)) {
    throw badRequest(`invalid gracePeriodSeconds: ${String(gracePeriodSeconds)}`);
  }
  const propagationPolicy = given.propagationPolicy ?? query.get('propagationPolicy') ?? undefined;
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(given.preconditions && { preconditions: given.preconditions }),
    ...(propagationPolicy !== undefined && {
      propagationPolicy: propagationPolicy as 'Background' | 'Foreground' | 'Orphan',
    }),
    dryRun: Array.isArray(given.dryRun) || query.get('dryRun') === 'All',
  };
}
