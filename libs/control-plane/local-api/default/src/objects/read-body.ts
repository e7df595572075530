import { badRequest } from '@podwright/api-machinery';
import { messageOf } from '@podwright/errors';
import type { LocalObject, LocalObjectKind } from '@podwright/local-objects-interface';
import {
  decodeConfigMap,
  decodePod,
  decodeSecret,
  isSourceObject,
  readDocument,
  type SourceDocument,
  type SourceObject,
} from '@podwright/pod-manifest';
import type { StoredResource } from '../resources.js';

const decoders: { readonly [K in LocalObjectKind]: (document: SourceDocument) => LocalObject } = {
  Pod: decodePod,
  ConfigMap: decodeConfigMap,
  Secret: decodeSecret,
};

/**
 * Decodes the object of a request, JSON or YAML. It may leave out what the path says: `apiVersion` and `kind`.
 * @throws ApiError 400.
 */
export function readObject(body: Uint8Array, { stored }: StoredResource): LocalObject {
  const document = parse(body);
  return refusingBadly(() => decoders[stored]({ ...document, value: typed(document.value, stored) }));
}

/** An object of a list, with its place in it. */
export interface ListItem {
  readonly object: LocalObject;
  readonly index: number;
}

/**
 * Decodes the list of a request; one bad item refuses all.
 * @throws ApiError 400 that names the item.
 */
export function readList(body: Uint8Array, { stored, plural }: StoredResource): readonly ListItem[] {
  const { value, faults } = parse(body);
  if (!isSourceObject(value)) throw badRequest(`expected a ${stored}List`);
  const { kind = 'List', apiVersion = 'v1', items, metadata: _metadata, ...unknown } = value;
  if (!['List', `${stored}List`].includes(String(kind)) || apiVersion !== 'v1')
    throw badRequest(`expected a v1 ${stored}List or List, got ${String(apiVersion)} ${String(kind)}`);
  const [field] = Object.keys(unknown);
  if (field !== undefined) throw badRequest(`unknown field ${JSON.stringify(field)}`);
  const [fault] = faults;
  if (fault !== undefined) throw badRequest(`${fault.path}: ${fault.message}`);
  if (items !== null && !Array.isArray(items)) throw badRequest('items: expected a list');
  return ((items ?? []) as readonly SourceDocument['value'][]).map((item, index) => {
    const decode = (): LocalObject => decoders[stored]({ value: typed(item, stored), faults: [] });
    return { index, object: refusingBadly(decode, `${placeOf(index, plural, item)}: `) };
  });
}

/** `items[3] pods "web"`. */
export function placeOf(index: number, plural: string, item: unknown): string {
  const name = (item as { readonly metadata?: { readonly name?: unknown } } | null)?.metadata?.name;
  return `items[${index}] ${plural}${typeof name === 'string' ? ` ${JSON.stringify(name)}` : ''}`;
}

function parse(body: Uint8Array): SourceDocument {
  const document = refusingBadly(() => readDocument(body));
  if (document.value === null) throw badRequest('the body is empty, expected an object');
  return document;
}

function typed(value: SourceDocument['value'], kind: string): SourceDocument['value'] {
  if (!isSourceObject(value)) return value;
  const named: SourceObject = { ...value, apiVersion: value.apiVersion ?? 'v1', kind: value.kind ?? kind };
  return named;
}

function refusingBadly<T>(decode: () => T, prefix = ''): T {
  try {
    return decode();
  } catch (error) {
    throw badRequest(`${prefix}${messageOf(error)}`);
  }
}
