import { isJsonObject } from '@podwright/kube-types';

/** Applies a JSON merge patch (RFC 7386): null removes, objects merge, all other values replace. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const merged: Record<string, unknown> = { ...(isJsonObject(target) ? target : {}) };
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete merged[field];
    else merged[field] = applyMergePatch(merged[field], value);
  }
  return merged;
}
