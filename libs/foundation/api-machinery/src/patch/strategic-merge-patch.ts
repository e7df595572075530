import { badRequest } from '../status/api-error.js';
import { deepEqual, isJsonObject, type JsonObject } from '@podwright/kube-types';
import { listMerge } from './merge-keys.js';
import { ownField, setField } from './set-field.js';

const patchDirective = '$patch';
const retainKeysDirective = '$retainKeys';
const orderPrefix = '$setElementOrder/';
const deletePrefix = '$deleteFromPrimitiveList/';

/**
 * Applies a strategic merge patch: like a merge patch, but it merges lists with a merge key element by element, and has
 * the directives `$patch`, `$retainKeys`, `$setElementOrder` and `$deleteFromPrimitiveList`. `kind` is the object's
 * kind.
 * Source: kubernetes v1.36 apimachinery/pkg/util/strategicpatch.
 * @throws ApiError 400 for an element without its merge key or of another type, or an unknown directive.
 */
export function applyStrategicMergePatch(kind: string, target: JsonObject, patch: JsonObject): JsonObject {
  const directive = patch[patchDirective];
  if (directive === 'replace') return withoutDirectives(patch);
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge') {
    throw badRequest(`unrecognized patch type: ${JSON.stringify(directive)}`);
  }
  const merged: Record<string, unknown> = retained(target, patch[retainKeysDirective]);
  for (const [field, value] of Object.entries(patch)) {
    if (field.startsWith('$')) continue;
    if (value === null) delete merged[field];
    else if (Array.isArray(value)) {
      const before = listOf(ownField(merged, field));
      const list = mergeList(kind, field, before, value);
      const isOrdered = `${orderPrefix}${field}` in patch || listMerge(kind, field) === undefined;
      setField(merged, field, isOrdered ? list : patchedFirst(keyOfElements(kind, field), before, list, value));
    } else if (isJsonObject(value)) {
      const before = ownField(merged, field);
      setField(merged, field, applyStrategicMergePatch(kind, isJsonObject(before) ? before : {}, value));
    } else setField(merged, field, value);
  }
  for (const [directive, values] of Object.entries(patch)) {
    if (!Array.isArray(values)) {
      if (directive.startsWith(orderPrefix)) throw badRequest(`${directive} must be a list`);
      continue;
    }
    if (directive.startsWith(deletePrefix)) {
      const field = directive.slice(deletePrefix.length);
      setField(
        merged,
        field,
        listOf(ownField(merged, field)).filter((value) => !values.includes(value as never)),
      );
    } else if (directive.startsWith(orderPrefix)) {
      const field = directive.slice(orderPrefix.length);
      const list = ownField(merged, field);
      if (list !== undefined) setField(merged, field, ordered(kind, field, listOf(list), values));
    }
  }
  return merged;
}

/**
 * The elements of the patch come before those that only the server has, which keep their places beside the ones that
 * both have. Source: as above, normalizeElementOrder.
 */
function patchedFirst(
  keyOf: (element: unknown) => unknown,
  before: readonly unknown[],
  list: readonly unknown[],
  patch: readonly unknown[],
): readonly unknown[] {
  const placeIn = (elements: readonly unknown[], element: unknown): number =>
    elements.findIndex((each) => deepEqual(keyOf(each), keyOf(element)));
  const result = list.filter((element) => placeIn(patch, element) < 0);
  const patched = list.filter((element) => placeIn(patch, element) >= 0);
  let from = 0;
  for (const element of patched.sort((a, b) => placeIn(patch, a) - placeIn(patch, b))) {
    const place = placeIn(before, element);
    while (place >= 0 && from < result.length && placeIn(before, result[from]) < place) from++;
    result.splice(from++, 0, element);
  }
  return result;
}

function mergeList(
  kind: string,
  field: string,
  before: readonly unknown[],
  patch: readonly unknown[],
): readonly unknown[] {
  const merge = listMerge(kind, field);
  if (merge === undefined) return patch;
  if (patch.some((element) => isJsonObject(element) === (merge === 'primitive')))
    throw badRequest(`list element types are not identical: ${field}`);
  if (merge === 'primitive') return [...before, ...patch.filter((value) => !before.includes(value))];
  const elements = patch.filter(isJsonObject);
  if (elements.some((element) => element[patchDirective] === 'replace')) {
    return elements.filter((element) => element[patchDirective] === undefined);
  }
  let result = before.filter(isJsonObject);
  for (const element of elements) {
    const key = element[merge.key];
    if (key === undefined) {
      throw badRequest(`map: ${JSON.stringify(element)} does not contain declared merge key: ${merge.key}`);
    }
    const index = result.findIndex((candidate) => deepEqual(candidate[merge.key], key));
    const known = result[index];
    if (element[patchDirective] === 'delete')
      result = result.filter((candidate) => !deepEqual(candidate[merge.key], key));
    else if (known === undefined) result = [...result, applyStrategicMergePatch(kind, {}, element)];
    else result = result.with(index, applyStrategicMergePatch(kind, known, element));
  }
  return result;
}

/** Sorts the elements by `order`; each element that `order` lacks stays behind its predecessor. */
function ordered(kind: string, field: string, list: readonly unknown[], order: readonly unknown[]): readonly unknown[] {
  const keyOf = keyOfElements(kind, field);
  const wanted = order.map(keyOf);
  const placeOf = (element: unknown): number => wanted.findIndex((key) => deepEqual(key, keyOf(element)));
  const named = list.filter((element) => placeOf(element) >= 0).sort((a, b) => placeOf(a) - placeOf(b));
  // The server or other clients added the elements that the order lacks.
  return list.reduce<unknown[]>((result, element, index) => {
    if (placeOf(element) >= 0) return result;
    const before = list[index - 1];
    const at = before === undefined ? 0 : result.indexOf(before) + 1;
    return result.toSpliced(at, 0, element);
  }, named);
}

function keyOfElements(kind: string, field: string): (element: unknown) => unknown {
  const merge = listMerge(kind, field);
  return (element) => (typeof merge === 'object' && isJsonObject(element) ? element[merge.key] : element);
}

function retained(target: JsonObject, keys: unknown): Record<string, unknown> {
  if (!Array.isArray(keys)) return { ...target };
  return Object.fromEntries(Object.entries(target).filter(([field]) => keys.includes(field)));
}

function withoutDirectives(patch: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(patch).filter(([field]) => !field.startsWith('$')));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
