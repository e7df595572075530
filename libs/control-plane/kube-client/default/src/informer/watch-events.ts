import type { ApiStatus } from '@podwright/kube-types';
import type { KubeObject, ResourceType } from '@podwright/kube-client-interface';
import { apiVersionOf } from '../answer/decode-object.js';
import { statusError } from '../request/answer-error.js';
import { garbledWatch } from './watch-errors.js';

/** One decoded event; `initialEventsEnd` marks the bookmark that ends a streamed list. */
export type WatchEvent<T extends KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T; readonly resourceVersion: string }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean };

const initialEventsEndAnnotation = 'k8s.io/initial-events-end';
const newline = 0x0a;

/** Maximum size of one event in bytes; fits an object of 3 MiB, the API server's maximum, in any escaping. */
export const maxEventBytes = 32 * 1024 * 1024;

/**
 * Decodes the events in the body of a watch. Throws the error of an ERROR event, `data-loss` at the first invalid
 * event, and the stream's own error.
 */
export async function* watchEvents<T extends KubeObject>(
  body: AsyncIterable<Uint8Array>,
  resource: ResourceType<T>,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  for await (const line of lines(body)) {
    const text = line.toString('utf8').trim();
    if (text !== '') yield decodeEvent(text, resource);
  }
}

// Text after the last newline is an event that was cut off with the connection; the next watch repeats it.
async function* lines(body: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
      yield parts.length === 0 ? rest.subarray(0, end) : Buffer.concat([...parts, rest.subarray(0, end)]);
      parts = [];
      bytes = 0;
      rest = rest.subarray(end + 1);
    }
    bytes += rest.byteLength;
    if (bytes > maxEventBytes) throw garbledWatch(`an event is larger than ${maxEventBytes} bytes`);
    if (rest.byteLength > 0) parts.push(rest);
  }
}

function decodeEvent<T extends KubeObject>(text: string, resource: ResourceType<T>): WatchEvent<T> {
  const { type, object } = parse(text);
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

function parse(text: string): { readonly type: string; readonly object: KubeObject } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw garbledWatch(`unable to decode an event from the watch stream: ${(error as Error).message}`, error);
  }
  const { type, object } = (value ?? {}) as { readonly type?: unknown; readonly object?: unknown };
  if (typeof type !== 'string' || typeof object !== 'object' || object === null)
    throw garbledWatch('unable to decode an event from the watch stream: it has no type or no object');
  return { type, object };
}

function errorOf(object: KubeObject): Error {
  if (object.kind === 'Status') return statusError(object as ApiStatus, 500);
  return garbledWatch(`an event of type ERROR holds an object of kind ${String(object.kind)}, not a Status`);
}
