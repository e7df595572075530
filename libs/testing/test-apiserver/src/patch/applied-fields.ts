import { listMerge } from '@podwright/api-machinery';
import { deepEqual, isJsonObject, type JsonObject } from '@podwright/kube-types';

/** A set of fields as in FieldsV1: `f:name` is a field, `k:{...}` a list element by its key; an empty set is a leaf. */
export interface FieldSet {
  readonly [key: string]: FieldSet;
}

/** The fields in an applied configuration. */
export function fieldSet(kind: string, configuration: JsonObject): FieldSet {
  return Object.fromEntries(
    Object.entries(configuration).map(([field, value]) => [`f:${field}`, ofValue(kind, field, value)]),
  );
}

function ofValue(kind: string, field: string, value: unknown): FieldSet {
  if (isJsonObject(value)) return fieldSet(kind, value);
  const merge = listMerge(kind, field);
  if (!Array.isArray(value) || typeof merge !== 'object') return {};
  return Object.fromEntries(
    value.filter(isJsonObject).map((element) => {
      const key = JSON.stringify({ [merge.key]: element[merge.key] });
      return [`k:${key}`, fieldSet(kind, element)];
    }),
  );
}

/** Removes the fields of `before` from the object, except those in any of `kept`. */
export function forgetFields(
  kind: string,
  object: JsonObject,
  before: FieldSet,
  kept: readonly FieldSet[],
): JsonObject {
  const result: Record<string, unknown> = { ...object };
  for (const [key, inner] of Object.entries(before)) {
    const field = key.slice(2);
    const value = result[field];
    const stillNamed = kept.map((set) => set[key]).filter((set) => set !== undefined);
    if (value === undefined) continue;
    if (Object.keys(inner).length === 0 || (!isJsonObject(value) && !Array.isArray(value))) {
      if (stillNamed.length === 0) delete result[field];
    } else if (isJsonObject(value)) {
      const rest = forgetFields(kind, value, inner, stillNamed);
      if (stillNamed.length === 0 && Object.keys(rest).length === 0) delete result[field];
      else result[field] = rest;
    } else result[field] = forgetElements(kind, value, inner, stillNamed);
  }
  return result;
}

function forgetElements(
  kind: string,
  list: readonly unknown[],
  before: FieldSet,
  kept: readonly FieldSet[],
): readonly unknown[] {
  return list.flatMap((element) => {
    const key = Object.keys(before).find((candidate) => isElement(candidate, element));
    const fields = key === undefined ? undefined : before[key];
    if (key === undefined || fields === undefined || !isJsonObject(element)) return [element];
    const stillNamed = kept.map((set) => set[key]).filter((set) => set !== undefined);
    // No manager applies the element any more: remove all of it, with the fields that the server has set.
    return stillNamed.length === 0 ? [] : [forgetFields(kind, element, fields, stillNamed)];
  });
}

function isElement(key: string, element: unknown): boolean {
  if (!key.startsWith('k:') || !isJsonObject(element)) return false;
  const wanted = JSON.parse(key.slice(2)) as JsonObject;
  return Object.entries(wanted).every(([field, value]) => deepEqual(element[field], value));
}
