import { includeOf, inForm, listParameters, type ApiObject, type Form } from '@podwright/api-machinery';
import type { Answer } from '@podwright/http-answer';
import type { LocalObjects } from '@podwright/local-objects-interface';
import type { Clock, Random } from '@podwright/time';
import type { Target } from '../http/request-target.js';
import { scope, selection } from '../objects/object-reader.js';
import { EventStream, type WatchEvent } from './event-stream.js';
import { Visibility, type ObjectChange } from './visibility.js';

// Upstream's --min-request-timeout: a watch without its own timeout lasts between one and two times this.
const minTimeoutMs = 1_800_000;

/** The changes of one kind of objects. */
export interface ChangeSource {
  current(): readonly ApiObject[];
  /** Undefined: they are no longer known. */
  since(resourceVersion: string): readonly ObjectChange[] | undefined;
  /** Returns unsubscribe. */
  watch(listener: (change: ObjectChange) => void): () => void;
}

export interface WatchParts {
  readonly objects: Pick<LocalObjects, 'list'>;
  readonly source: ChangeSource;
  readonly clock: Clock;
  readonly random: Random;
}

export interface WatchRequest {
  readonly target: Target;
  readonly query: URLSearchParams;
  readonly form: Form | undefined;
  readonly signal: AbortSignal;
}

/**
 * Answers a watch: first the current objects, or the changes since the version that the client names; then each change.
 * Source: kubernetes v1.36 apiserver/pkg/endpoints/handlers/watch.go, apiserver/pkg/storage/cacher.
 * @throws ApiError 400, 422.
 */
export function watchObjects(parts: WatchParts, request: WatchRequest): Answer {
  const { target, query, signal } = request;
  const parameters = listParameters(query, true);
  const matches = selection(target.resource, target.namespace, query);
  const write = writer(parts.clock, request);
  const stream = new EventStream(write);
  const visible = new Visibility(matches, scope(target.resource, target.namespace, query));
  const first = firstEvents(parts, { target, parameters, matches, visible, stream });
  const unwatch = parts.source.watch((change) => {
    const seen = visible.change(change);
    if (seen !== undefined) stream.push(seen);
  });
  const { timeoutSeconds } = parameters;
  const timeoutMs = timeoutSeconds === undefined ? minTimeoutMs * (1 + parts.random.next()) : timeoutSeconds * 1000;
  const timer = parts.clock.setTimer(timeoutMs, () => stream.end());
  const end = (): void => {
    unwatch();
    timer.cancel();
    stream.end();
  };
  signal.addEventListener('abort', end, { once: true });
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' };
  return { status: 200, headers, body: lines(first.map(write), stream, end) };
}

interface Beginning {
  readonly target: Target;
  readonly parameters: ReturnType<typeof listParameters>;
  readonly matches: (object: ApiObject) => boolean;
  readonly visible: Visibility;
  readonly stream: EventStream;
}

function firstEvents({ objects, source }: WatchParts, beginning: Beginning): readonly WatchEvent[] {
  const { target, parameters, matches, visible, stream } = beginning;
  const { resourceVersion = 0, sendInitialEvents, allowBookmarks } = parameters;
  const { resourceVersion: version } = objects.list('Pod');
  const bookmark = (annotations?: Readonly<Record<string, string>>): readonly WatchEvent[] => {
    if (!allowBookmarks) return [];
    const metadata = { resourceVersion: version, creationTimestamp: null, ...(annotations && { annotations }) };
    return [{ type: 'BOOKMARK', object: { kind: target.resource.kind, apiVersion: 'v1', metadata } }];
  };
  if (sendInitialEvents ?? resourceVersion === 0) {
    const current = source.current();
    visible.knows(current);
    const added = current.filter(matches).map((object): WatchEvent => ({ type: 'ADDED', object }));
    return [...added, ...bookmark({ 'k8s.io/initial-events-end': 'true' })];
  }
  const past = resourceVersion === 0 ? [] : source.since(String(resourceVersion));
  if (past === undefined) {
    stream.expire(`too old resource version: ${resourceVersion} (${version})`);
    return [];
  }
  const seen = past.flatMap((change) => visible.change(change) ?? []);
  visible.knows(source.current());
  return [...seen, ...bookmark()];
}

async function* lines(first: readonly string[], stream: EventStream, end: () => void): AsyncGenerator<string> {
  try {
    // Sends the head of the answer: the client knows then that it is watching.
    yield '';
    yield* first;
    yield* stream.read();
  } finally {
    end();
  }
}

function writer(clock: Clock, { target, query, form }: WatchRequest): (event: WatchEvent) => string {
  const include = includeOf(query);
  const { resource } = target;
  let first = true;
  return ({ type, object }) => {
    const shown = inForm(object, { form, resource, include, nowMs: clock.now(), first });
    first = false;
    return `${JSON.stringify({ type, object: shown })}\n`;
  };
}
