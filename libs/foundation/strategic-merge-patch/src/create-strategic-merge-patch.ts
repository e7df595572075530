import { isJsonObject, type JsonObject } from '@podwright/kube-types';
import { diffLists } from './diff-lists.js';
import { sameJson } from './json-value.js';
import { patchDirectives, type PatchSchema } from './patch-schema.js';

/**
 * Computes the strategic merge patch from `original` to `modified`; empty when they are equal. Both are plain JSON, in
 * which `undefined` counts as absent. Remove empty lists and strings that Go's `omitempty` would omit: here they count.
 * Throws `invalid-argument` for a list item without the list's merge key.
 * Source: kubernetes v1.36 apimachinery/pkg/util/strategicpatch/patch.go, CreateTwoWayMergePatch.
 */
export function createStrategicMergePatch(original: object, modified: object, schema: PatchSchema): JsonObject {
  return diffObjects(original as JsonObject, modified as JsonObject, schema, false);
}

/** As {@link createStrategicMergePatch}; `retainKeys` adds the directive to a patch that is not empty. */
export function diffObjects(
  original: JsonObject,
  modified: JsonObject,
  schema: PatchSchema,
  retainKeys: boolean,
): JsonObject {
  const patch: Record<string, unknown> = {};
  for (const key of Object.keys(modified))
    if (modified[key] !== undefined) diffField(key, original, modified[key], schema, patch);
  for (const key of Object.keys(original))
    if (original[key] !== undefined && modified[key] === undefined) patch[key] = null;
  if (!retainKeys) return patch;
  const kept = Object.keys(modified)
    .filter((key) => modified[key] !== undefined && modified[key] !== null)
    .sort();
  if (kept.length > 0 && Object.keys(patch).length > 0) patch[patchDirectives.retainKeys] = kept;
  return patch;
}

function diffField(
  key: string,
  original: JsonObject,
  value: unknown,
  schema: PatchSchema,
  patch: Record<string, unknown>,
): void {
  const before = original[key];
  // Objects that were made from one another share most of their parts.
  if (before === value) return;
  const { merge, mergeKey, retainKeys = false, fields = {} } = fieldOf(schema, key);
  if (isJsonObject(before) && isJsonObject(value)) {
    const inner = diffObjects(before, value, fields, retainKeys);
    if (Object.keys(inner).length > 0) patch[key] = inner;
  } else if (merge === true && Array.isArray(before) && Array.isArray(value)) {
    const difference = diffLists(before, value, (a, b) => diffObjects(a, b, fields, retainKeys), mergeKey);
    const { changes, deletions, order } = difference;
    if (changes.length > 0) patch[key] = changes;
    if (deletions.length > 0) patch[`${patchDirectives.deleteFromPrimitiveList}/${key}`] = deletions;
    if (order.length > 0) patch[`${patchDirectives.setElementOrder}/${key}`] = order;
  } else if (!sameJson(before, value)) {
    patch[key] = value;
  }
}

function fieldOf(schema: PatchSchema, key: string): PatchSchema[string] {
  return Object.hasOwn(schema, key) ? (schema[key] as PatchSchema[string]) : {};
}
