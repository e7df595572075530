import { diffLists } from './diff-lists.js';
import { isObject, sameJson, type JsonObject } from './json-value.js';
import { patchDirectives, type PatchSchema } from './patch-schema.js';

/**
 * The strategic merge patch that makes `modified` of `original`, empty when they are the same; both are plain JSON and
 * fields with the value `undefined` count as absent. Throws `invalid-argument` for an item without the merge key of its
 * list. Unlike a Go struct, JSON keeps empty lists and strings: leave out what upstream's `omitempty` would. Source:
 * kubernetes v1.36 apimachinery/pkg/util/strategicpatch/patch.go, CreateTwoWayMergePatch.
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
  for (const [key, value] of present(modified)) diffField(key, original, value, schema, patch);
  for (const [key] of present(original)) if (modified[key] === undefined) patch[key] = null;
  if (!retainKeys) return patch;
  const kept = present(modified)
    .filter(([, value]) => value !== null)
    .map(([key]) => key)
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
  const { merge, mergeKey, retainKeys = false, fields = {} } = fieldOf(schema, key);
  if (isObject(before) && isObject(value)) {
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

function present(object: JsonObject): readonly (readonly [string, unknown])[] {
  return Object.entries(object).filter(([, value]) => value !== undefined);
}
