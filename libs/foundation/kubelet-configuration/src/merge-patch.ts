import type { SourceObject, SourceValue } from '@podwright/pod-manifest';
import { isSourceObject } from '@podwright/pod-manifest';

/** Applies a JSON merge patch (RFC 7386): objects merge key by key, null removes, all other values replace. */
export function mergePatch(target: SourceValue, patch: SourceValue): SourceValue {
  if (!isSourceObject(patch)) return patch;
  // No prototype, so that `__proto__` in a file is a key like any other.
  const result = Object.assign(
    Object.create(null) as Record<string, SourceValue>,
    isSourceObject(target) ? target : {},
  );
  for (const [key, value] of Object.entries(patch as SourceObject)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key] ?? null, value);
  }
  return result;
}
