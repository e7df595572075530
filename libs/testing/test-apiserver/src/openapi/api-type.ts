import { apiTypes } from './api-types.js';

/** The type of a field's value. */
export type ValueType =
  | { readonly kind: 'scalar'; readonly scalar: Scalar }
  | { readonly kind: 'any' }
  /** Pass `name` to {@link apiType}. */
  | { readonly kind: 'object'; readonly name: string; readonly atomic: boolean }
  | { readonly kind: 'map'; readonly values: ValueType }
  | ListType;

export interface ListType {
  readonly kind: 'list';
  readonly items: ValueType;
  /** For strategic merge: the key of the items, empty for a set of values; undefined for a list that is replaced. */
  readonly patchMergeKey: string | undefined;
  readonly retainKeys: boolean;
  /** For server-side apply: the keys of the items, none for a set; undefined for an atomic list. */
  readonly mapKeys: readonly string[] | undefined;
}

export type Scalar =
  | 'string'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'double'
  | 'byte'
  | 'date-time'
  | 'micro-time'
  | 'quantity'
  | 'int-or-string';

export interface ApiField {
  readonly name: string;
  readonly required: boolean;
  readonly type: ValueType;
}

/** An object type of the API, such as `core.v1.PodSpec`. */
export interface ApiType {
  readonly name: string;
  readonly fields: ReadonlyMap<string, ApiField>;
}

const parsed = new Map<string, ApiType>();

/** Finds a type by its name; undefined when the table lacks it. */
export function apiType(name: string): ApiType | undefined {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const text = apiTypes[name];
  if (text === undefined) return undefined;
  const fields = text.split(' ').filter((word) => word.includes(':'));
  const type: ApiType = { name, fields: new Map(fields.map(parseField).map((field) => [field.name, field])) };
  parsed.set(name, type);
  return type;
}

/** The type name of a kind. It begins with `core`, or with the part of the group before its first dot. */
export function apiTypeName(group: string, version: string, kind: string): string {
  return `${group === '' ? 'core' : (group.split('.')[0] ?? '')}.${version}.${kind}`;
}

// `name:type`, or `name*:type` for a required field.
function parseField(word: string): ApiField {
  const [left = '', right = ''] = splitAt(word, word.indexOf(':'));
  return { name: left.replace('*', ''), required: left.endsWith('*'), type: parseType(right.slice(1)) };
}

/**
 * Parses `[]type@patchMergeKey~#mapKeys`, `{}type`, a scalar, `any`, or the name of another type (with `!`: atomic).
 */
function parseType(text: string): ValueType {
  if (text.startsWith('[]')) {
    const match = /^(?<items>[^@~#]*)(?:@(?<patch>[^~#]*))?(?<retain>~)?(?:#(?<keys>.*))?$/.exec(text.slice(2))?.groups;
    return {
      kind: 'list',
      items: parseType(match?.items ?? ''),
      patchMergeKey: match?.patch,
      retainKeys: match?.retain !== undefined,
      mapKeys: match?.keys?.split(',').filter((key) => key !== ''),
    };
  }
  if (text.startsWith('{}')) return { kind: 'map', values: parseType(text.slice(2)) };
  if (text === 'any') return { kind: 'any' };
  if (isScalar(text)) return { kind: 'scalar', scalar: text };
  return { kind: 'object', name: text.replace('!', ''), atomic: text.endsWith('!') };
}

const scalars: readonly string[] = [
  'string',
  'boolean',
  'int32',
  'int64',
  'double',
  'byte',
  'date-time',
  'micro-time',
  'quantity',
  'int-or-string',
] satisfies readonly Scalar[];

function isScalar(text: string): text is Scalar {
  return scalars.includes(text);
}

function splitAt(text: string, index: number): readonly [string, string] {
  return [text.slice(0, index), text.slice(index)];
}
