import type { KubeObject, ResourceType } from '@podwright/kube-client-interface';
import { yieldToEventLoop } from '@podwright/time';
import { apiVersionOf, checkKind, decodeJsonObject, garbledAnswer } from './decode-object.js';
import { splitList } from './split-list.js';

/** One page of a list. */
export interface ListPage<T extends KubeObject> {
  readonly resourceVersion: string;
  /** Empty on the last page. */
  readonly continueToken: string;
  readonly items: readonly T[];
}

// JSON.parse takes at most a few milliseconds for this size.
const sliceBytes = 512 * 1024;

/**
 * Decodes a list; parses a large one in slices and yields to the event loop in between. `keep` transforms each item.
 * Throws `data-loss` for anything but a list of the resource.
 */
export async function decodeList<T extends KubeObject>(
  body: Buffer,
  resource: ResourceType<T>,
  keep: (item: T) => T,
): Promise<ListPage<T>> {
  const items: T[] = [];
  const add = (item: unknown): void => {
    items.push(keep(decodeItem(item, resource)));
  };
  const split = body.byteLength > sliceBytes ? await splitList(body) : undefined;
  const list = decodeJsonObject(split === undefined ? body : Buffer.from(split.envelope)) as ListObject;
  checkKind(list, resource, `${resource.kind}List`);
  if (split === undefined) {
    for (const item of itemsOf(list)) add(item);
  } else {
    let parsedBytes = 0;
    for (const [begin, end] of split.items) {
      add(parse(body.toString('utf8', begin, end)));
      parsedBytes += end - begin;
      if (parsedBytes < sliceBytes) continue;
      parsedBytes = 0;
      await yieldToEventLoop();
    }
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

function itemsOf({ kind, items }: ListObject): readonly unknown[] {
  if (items === undefined || items === null) return [];
  if (!Array.isArray(items)) throw garbledAnswer(`the server answered with a ${String(kind)} whose items are no list`);
  return items;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw garbledAnswer(`the server's answer is not JSON: ${(error as Error).message}`, error);
  }
}

function decodeItem<T extends KubeObject>(item: unknown, resource: ResourceType<T>): T {
  const object = item as KubeObject | null;
  if (typeof object !== 'object' || typeof object?.metadata?.name !== 'string')
    throw garbledAnswer(`the server answered with a ${resource.kind}List with an item without metadata.name`);
  checkKind(object, resource, resource.kind);
  // Items of a list have no type of their own.
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object } as T;
}
