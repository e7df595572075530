import { isJsonObject } from '@podwright/kube-types';
import { ownField, setField } from './set-field.js';

/** Applies a JSON merge patch (RFC 7386): null removes, objects merge, all other values replace. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged: Record<string, unknown> = { ...(isJsonObject(target) ? target : {}) };
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete merged[field];
    else setField(merged, field, applyMergePatch(ownField(merged, field), value));
  }
  return merged;
}
