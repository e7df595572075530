import type { SourceObject, SourceValue } from '@podwright/kube-types';
import { isSourceObject } from '@podwright/kube-types';

/** JSON merge patch (RFC 7386): objects merge key by key, null deletes, everything else replaces. */
export function mergePatch(target: SourceValue, patch: SourceValue): SourceValue {
  if (!isSourceObject(patch)) return patch;
  // No prototype: a key such as `__proto__` in a file is a key like any other.
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
