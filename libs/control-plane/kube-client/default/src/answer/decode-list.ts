import type { KubeObject, ResourceType } from '@podwright/kube-client-interface';
import { yieldToEventLoop } from '@podwright/time';
import type { Answer } from '../content/answer.js';
import { apiVersionOf, checkKind, checkObject, garbledAnswer, notInFormat } from './decode-object.js';

/** One page of a list. */
export interface ListPage<T extends KubeObject> {
  readonly resourceVersion: string;
  /** Empty on the last page. */
  readonly continueToken: string;
  readonly items: readonly T[];
}

// Decoding takes some ten milliseconds for this size in CBOR, the slowest format, and one in JSON.
const sliceBytes = 64 * 1024;

/**
 * Decodes a list; parses a large one in slices and yields to the event loop in between. `keep` transforms each item.
 * Throws `data-loss` for anything but a list of the resource.
 */
export async function decodeList<T extends KubeObject>(
  { body, format }: Answer,
  resource: ResourceType<T>,
  keep: (item: T) => T,
): Promise<ListPage<T>> {
  if (body.byteLength === 0) throw garbledAnswer('the server answered without a body');
  const decoding = <R>(decode: () => R): R => {
    try {
      return decode();
    } catch (error) {
      throw notInFormat(format, error);
    }
  };
  const opened = await format.openList(body).catch((error: unknown) => {
    throw notInFormat(format, error);
  });
  const list = checkObject(opened.envelope) as ListObject;
  checkKind(list, resource, `${resource.kind}List`);
  checkItems(list);
  const items: T[] = [];
  let slice = 1;
  const rest = opened.items[Symbol.iterator]();
  for (let next = decoding(() => rest.next()); next.done !== true; next = decoding(() => rest.next())) {
    const [item, bytesRead] = next.value;
    items.push(keep(decodeItem(item, resource)));
    if (bytesRead < slice * sliceBytes) continue;
    slice++;
    await yieldToEventLoop();
  }
  const { resourceVersion = '', continue: continueToken = '' } = (list.metadata ?? {}) as ListMetadata;
  return { resourceVersion, continueToken, items };
}

interface ListMetadata {
  readonly resourceVersion?: string;
  readonly continue?: string;
}

interface ListObject extends KubeObject {
  readonly items?: unknown;
}

function checkItems({ kind, items }: ListObject): void {
  if (items === undefined || items === null || Array.isArray(items)) return;
  throw garbledAnswer(`the server answered with a ${String(kind)} whose items are no list`);
}

function decodeItem<T extends KubeObject>(item: unknown, resource: ResourceType<T>): T {
  const object = item as KubeObject | null;
  if (typeof object !== 'object' || typeof object?.metadata?.name !== 'string')
    throw garbledAnswer(`the server answered with a ${resource.kind}List with an item without metadata.name`);
  checkKind(object, resource, resource.kind);
  // Items of a list have no type of their own.
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object } as T;
}
