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
 * @throws ApiError 400 for an element without its merge key or an unknown directive.
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
    else if (Array.isArray(value)) setField(merged, field, mergeList(kind, field, ownField(merged, field), value));
    else if (isJsonObject(value)) {
      const before = ownField(merged, field);
      setField(merged, field, applyStrategicMergePatch(kind, isJsonObject(before) ? before : {}, value));
    } else setField(merged, field, value);
  }
  for (const [directive, values] of Object.entries(patch)) {
    if (!Array.isArray(values)) continue;
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

function mergeList(kind: string, field: string, current: unknown, patch: readonly unknown[]): readonly unknown[] {
  const merge = listMerge(kind, field);
  if (merge === undefined) return patch;
  const before = listOf(current);
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
  const merge = listMerge(kind, field);
  const keyOf = (element: unknown): unknown =>
    typeof merge === 'object' && isJsonObject(element) ? element[merge.key] : element;
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
