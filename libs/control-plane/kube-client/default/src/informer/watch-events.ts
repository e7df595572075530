import { messageOf } from '@podwright/errors';
import type { ApiStatus } from '@podwright/kube-types';
import type { KubeObject, ResourceType } from '@podwright/kube-client-interface';
import { apiVersionOf } from '../answer/decode-object.js';
import { statusError } from '../request/answer-error.js';
import type { ContentFormat } from '../content/content-format.js';
import { splitEvents } from '../content/split-events.js';
import type { OpenAnswer } from '../request/request-sender.js';
import { garbledWatch } from './watch-errors.js';

/** One decoded event; `initialEventsEnd` marks the bookmark that ends a streamed list. */
export type WatchEvent<T extends KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T; readonly resourceVersion: string }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

export interface WatchEventOptions {
  /** False: objects need not have `metadata.managedFields`. */
  readonly managedFields: boolean;
}

const initialEventsEndAnnotation = 'k8s.io/initial-events-end';

/**
 * Decodes the events in the body of a watch. Throws the error of an ERROR event, `data-loss` at the first invalid
 * event, and the stream's own error.
 */
export async function* watchEvents<T extends KubeObject>(
  { body, format }: OpenAnswer,
  resource: ResourceType<T>,
  options: WatchEventOptions,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  for await (const bytes of splitEvents(body, format.eventEnds())) {
    const event = decodeEvent(format, bytes, options);
    if (event !== undefined) yield typedEvent(event, resource);
  }
}

interface AnyEvent {
  readonly type: string;
  readonly object: KubeObject;
}

function typedEvent<T extends KubeObject>({ type, object }: AnyEvent, resource: ResourceType<T>): WatchEvent<T> {
  if (type === 'ERROR') throw errorOf(object);
  const { kind, apiVersion, metadata } = object;
  const [wantedKind, wantedVersion] = [resource.kind, apiVersionOf(resource)];
  if ((kind ?? wantedKind) !== wantedKind || (apiVersion ?? wantedVersion) !== wantedVersion) {
    const got = `${String(apiVersion ?? '')} ${String(kind ?? '')}`.trim();
    throw garbledWatch(`an event is about an object of ${got}, not of ${wantedVersion} ${wantedKind}`);
  }
  const resourceVersion: unknown = metadata?.resourceVersion;
  if (typeof resourceVersion !== 'string' || resourceVersion === '')
    throw garbledWatch(`an event of type ${type} has no metadata.resourceVersion`);
  if (type === 'BOOKMARK') {
    const initialEventsEnd = metadata?.annotations?.[initialEventsEndAnnotation] === 'true';
    return { type, resourceVersion, initialEventsEnd };
  }
  if (type !== 'ADDED' && type !== 'MODIFIED' && type !== 'DELETED')
    throw garbledWatch(`an event is of the unknown type ${JSON.stringify(type).slice(0, 100)}`);
  if (typeof metadata?.name !== 'string' || metadata.name === '')
    throw garbledWatch(`an event of type ${type} has no metadata.name`);
  return { type, object: { apiVersion: wantedVersion, kind: wantedKind, ...object } as T, resourceVersion };
}

function decodeEvent(format: ContentFormat, bytes: Buffer, options: WatchEventOptions): AnyEvent | undefined {
  let value: unknown;
  try {
    value = format.decodeEvent(bytes, options);
  } catch (error) {
    throw garbledWatch(`unable to decode an event from the watch stream: ${messageOf(error)}`, error);
  }
  if (value === undefined) return undefined;
  const { type, object } = (value ?? {}) as { readonly type?: unknown; readonly object?: unknown };
  if (typeof type !== 'string' || typeof object !== 'object' || object === null)
    throw garbledWatch('unable to decode an event from the watch stream: it has no type or no object');
  return { type, object };
}

function errorOf(object: KubeObject): Error {
  if (object.kind === 'Status') return statusError(object as ApiStatus, 500);
  return garbledWatch(`an event of type ERROR holds an object of kind ${String(object.kind)}, not a Status`);
}
