import {
  ApiError,
  type ApiObject,
  expired,
  listParameters,
  type ListParameters,
  qualified,
} from '@podwright/api-machinery';
import type { ResourceRequest } from '../http/api-request.js';
import { groupVersion } from '../resources/api-resource.js';
import type { Snapshot } from '../store/object-store.js';
import { decodeContinue, encodeContinue } from './continue-token.js';
import { selectionOf, type Selection } from './selection.js';
import type { ServerContext } from './server-context.js';

/** The body of a list. As for all built-in resources, its items have no kind and apiVersion. */
export interface ListBody {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly Omit<ApiObject, 'kind' | 'apiVersion'>[];
}

// Upstream's watch cache waits this long for a resource version that it has not seen yet.
const futureVersionWaitMs = 3_000;

const expiredList = 'The resourceVersion for the provided list is too old.';
const expiredContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the ' +
  'continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing ' +
  'with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the ' +
  'time the first chunk was returned and now may show up in the list.';

/** Answers a list. Source: kubernetes v1.36 apiserver/pkg/storage/etcd3/store.go GetList. */
export async function listObjects(context: ServerContext, request: ResourceRequest): Promise<ListBody> {
  const { target, query, signal } = request;
  const parameters = listParameters(query, false);
  const selection = selectionOf(target, query);
  await awaitVersion(context, parameters, signal);
  const { snapshot, after } = snapshotFor(context, qualified(target.resource), parameters, selection);
  // Upstream answers version 0 from its cache, which ignores the limit.
  const limit = parameters.resourceVersion === 0 ? 0 : parameters.limit;
  const items: ApiObject[] = [];
  let last = '';
  let remaining = 0;
  for (const [key, object] of snapshot.objects) {
    if (after !== '' && key <= after) continue;
    if (limit > 0 && items.length === limit) remaining += 1;
    else {
      items.push(object);
      last = key;
    }
  }
  const { resourceVersion } = snapshot;
  return {
    kind: `${target.resource.kind}List`,
    apiVersion: groupVersion(target.resource),
    metadata: {
      resourceVersion: String(resourceVersion),
      ...(remaining > 0 && {
        continue: encodeContinue({ resourceVersion, after: last }),
        ...(!selection.narrowed && { remainingItemCount: remaining }),
      }),
    },
    items: items.map(({ kind: _kind, apiVersion: _apiVersion, ...item }) => item),
  };
}

function snapshotFor(
  { store }: ServerContext,
  resource: string,
  parameters: ListParameters,
  { matches }: Selection,
): { readonly snapshot: Snapshot; readonly after: string } {
  const { continueToken, resourceVersion, match: versionMatch, limit } = parameters;
  if (continueToken !== '') {
    const position = decodeContinue(continueToken);
    const snapshot = store.snapshot(resource, matches, position.resourceVersion);
    if (snapshot !== undefined) return { snapshot, after: position.after };
    throw expired(expiredContinue, encodeContinue({ resourceVersion: undefined, after: position.after }));
  }
  const exact = versionMatch === 'Exact' || (versionMatch === '' && limit > 0);
  const asOf = exact && resourceVersion !== undefined && resourceVersion > 0 ? resourceVersion : undefined;
  const snapshot = store.snapshot(resource, matches, asOf);
  if (snapshot === undefined) throw expired(expiredList);
  return { snapshot, after: '' };
}

async function awaitVersion(
  { clock, store }: ServerContext,
  { resourceVersion = 0 }: ListParameters,
  signal: AbortSignal,
): Promise<void> {
  if (resourceVersion <= store.resourceVersion) return;
  await clock.sleep(futureVersionWaitMs, signal);
  if (resourceVersion <= store.resourceVersion) return;
  const message = `Too large resource version: ${resourceVersion}, current: ${store.resourceVersion}`;
  throw new ApiError(504, 'Timeout', `Timeout: ${message}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });
}
