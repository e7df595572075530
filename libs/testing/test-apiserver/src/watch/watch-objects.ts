import { type ApiObject, expired, listParameters, type ListParameters, qualified } from '@podwright/api-machinery';
import type { ApiResponse, ResourceRequest } from '../http/api-request.js';
import { ByteStream } from '../http/byte-stream.js';
import { selectionOf } from '../registry/selection.js';
import type { ServerContext } from '../registry/server-context.js';
import { groupVersion } from '../resources/api-resource.js';
import type { StoreEvent } from '../store/collection-history.js';
import { scheduleBookmarks } from './schedule-bookmarks.js';

// Upstream's --min-request-timeout: a watch without its own timeout lasts between one and two times this.
const minTimeoutMs = 1_800_000;

/** How to write the events of a watch, such as objects as tables. */
export interface WatchWriting {
  readonly transform?: (object: ApiObject) => unknown;
  readonly contentType?: string;
}

/**
 * Answers a watch: first the past changes or current objects that the parameters request, then each change, and
 * bookmarks on request. A change that moves an object into or out of the selection is ADDED or DELETED.
 * Source: kubernetes v1.36 apiserver/pkg/storage/cacher.
 */
export function watchObjects(
  context: ServerContext,
  request: ResourceRequest,
  writing: WatchWriting = {},
): ApiResponse {
  const { clock, random, store } = context;
  const { target, query, signal } = request;
  const { transform = (object: ApiObject): unknown => object, contentType = 'application/json' } = writing;
  const resource = qualified(target.resource);
  const parameters = listParameters(query, true);
  const { matches, field } = selectionOf(target, query);
  const cleanups: (() => void)[] = [];
  const stream = new ByteStream(() => cleanups.forEach((cleanup) => cleanup()));
  const write = (type: string, object: unknown): void => stream.push(`${JSON.stringify({ type, object })}\n`);
  const tell = (event: StoreEvent): void => {
    const change = visibleChange(event, matches);
    if (change !== undefined) write(change.type, transform(change.object));
  };
  const bookmark = (annotations?: Readonly<Record<string, string>>): void =>
    write('BOOKMARK', bookmarkObject(context, request, annotations));

  const past = pastEvents(context, resource, parameters);
  if (past === undefined) {
    const oldest = store.oldest(resource);
    const error = expired(`too old resource version: ${parameters.resourceVersion ?? 0} (${oldest})`);
    write('ERROR', error.status());
    stream.end();
  } else {
    if (past === 'state') {
      for (const object of store.snapshot(resource, matches)?.objects.values() ?? []) write('ADDED', transform(object));
      if (parameters.sendInitialEvents === true && parameters.allowBookmarks) {
        bookmark({ 'k8s.io/initial-events-end': 'true' });
      }
    } else past.forEach(tell);
    const from = past === 'state' ? 0 : (parameters.resourceVersion ?? 0);
    cleanups.push(
      store.watch(
        (event) => {
          if (event.resourceVersion > from) tell(event);
        },
        { resource, ...(field && { field }) },
      ),
    );
    const timeoutMs =
      parameters.timeoutSeconds === undefined
        ? Math.round(minTimeoutMs * (1 + random.next()))
        : parameters.timeoutSeconds * 1_000;
    const timer = clock.setTimer(timeoutMs, () => stream.end());
    cleanups.push(() => timer.cancel());
    if (parameters.allowBookmarks) cleanups.push(scheduleBookmarks(clock, timeoutMs, () => bookmark()));
    const onAbort = (): void => stream.fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    cleanups.push(() => signal.removeEventListener('abort', onAbort));
  }
  return { status: 200, headers: { 'content-type': contentType, 'cache-control': 'no-cache, private' }, body: stream };
}

/**
 * The past changes to begin with; `state`: begin with the current objects; undefined: those changes are dropped
 * already.
 */
function pastEvents(
  { store }: ServerContext,
  resource: string,
  { resourceVersion = 0, sendInitialEvents }: ListParameters,
): 'state' | readonly StoreEvent[] | undefined {
  if (sendInitialEvents === true || (sendInitialEvents === undefined && resourceVersion === 0)) return 'state';
  return resourceVersion === 0 ? [] : store.since(resource, resourceVersion);
}

function visibleChange(
  { type, object, previous }: StoreEvent,
  matches: (object: ApiObject) => boolean,
): { readonly type: StoreEvent['type']; readonly object: ApiObject } | undefined {
  const before = previous !== undefined && matches(previous);
  if (type === 'DELETED') return before ? { type, object } : undefined;
  const now = matches(object);
  if (now) return { type: before ? 'MODIFIED' : 'ADDED', object };
  if (!before) return undefined;
  const metadata = { ...previous.metadata, resourceVersion: object.metadata.resourceVersion ?? '' };
  return { type: 'DELETED', object: { ...previous, metadata } };
}

function bookmarkObject(
  { store }: ServerContext,
  { target }: ResourceRequest,
  annotations: Readonly<Record<string, string>> | undefined,
): unknown {
  return {
    kind: target.resource.kind,
    apiVersion: groupVersion(target.resource),
    metadata: {
      resourceVersion: String(store.resourceVersion),
      creationTimestamp: null,
      ...(annotations && { annotations }),
    },
  };
}
